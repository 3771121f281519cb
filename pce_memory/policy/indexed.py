"""What of a claim's text is indexed and embedded: not what its class redacts on the way out.

A search over words that nobody is shown would answer whoever guesses them.
"""

from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BoundaryClass
from pce_memory.policy.redaction import redact_for, redacted_names


def indexed_text(text: str, boundary_class: BoundaryClass, policy: Policy) -> str:
    """Return a text as it is indexed and embedded under a class."""
    # A claim holds no secret, so where nothing else is redacted the text stays as it is.
    if not redacted_names(policy, boundary_class):
        return text
    return redact_for(text, policy, boundary_class=boundary_class).text
