"""What a judge is: a model of the host's, or a person behind it, that says how good a claim is."""

from typing import Protocol

from pce_memory.domain.claim import AnyClaim


class QualityJudge(Protocol):
    """Says how good a claim is, on 0 to 100; None where it cannot say.

    `model_id` names the weights, or whoever judges. The claim is as its caller may see it:
    redacted, with its kind, its tags and its measures. Scores of one claim are compared with each
    other, whoever gave them.
    """

    @property
    def model_id(self) -> str:
        """The name of the weights."""
        ...

    def judge(self, claim: AnyClaim) -> float | None:
        """Return a score from 0 to 100, or None."""
        ...


__all__ = ["QualityJudge"]
