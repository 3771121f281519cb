"""Feedback into standing: signals, scores of others, duplicates, decay."""

from pce_memory.critic.decay import decay
from pce_memory.critic.feedback import process_feedback, process_feedbacks
from pce_memory.critic.judged import is_known, process_score

__all__ = ["decay", "is_known", "process_feedback", "process_feedbacks", "process_score"]
