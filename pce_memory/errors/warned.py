"""What is warned of: the memory can be used, and something is to be known first."""


class CommitsMissing(UserWarning):
    """The file lacks commits that were acknowledged: its log is missing, or was cut."""
