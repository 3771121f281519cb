"""Feedback into standing: signals, duplicates, decay."""

from pce_memory.critic.decay import decay
from pce_memory.critic.feedback import process_feedback, process_feedbacks

__all__ = ["decay", "process_feedback", "process_feedbacks"]
