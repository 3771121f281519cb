"""Feedback into standing: signals, scores of others, duplicates, decay."""

from pce_memory.critic.decay import decay
from pce_memory.critic.feedback import process_feedback, process_feedbacks
from pce_memory.critic.judged import process_score

__all__ = ["decay", "process_feedback", "process_feedbacks", "process_score"]
