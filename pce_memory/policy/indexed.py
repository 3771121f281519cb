"""What of a claim is indexed and embedded: who said it and what, but for what its class redacts.

A search over words that nobody is shown would answer whoever guesses them.
"""

import json
from hashlib import sha256
from typing import Final

from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, BoundaryClass
from pce_memory.policy.outgoing import cleaner
from pce_memory.policy.redaction import redact_for, redacted_names, rules_of

SPEAKERS: Final = "without personal data"
"""How speakers are indexed: where that changes, what was indexed before is indexed anew."""


def indexed_text(
    text: str, boundary_class: BoundaryClass, policy: Policy, *, said_by: str | None = None
) -> str:
    """Return a text as it is indexed and embedded under a class, after the name of its speaker.

    A name that does not leave as it is, such as an e-mail address, is not indexed: whoever is not
    shown it could guess it by its parts.
    """
    name = said_by if said_by and _leaves(said_by, policy) else None
    whole = f"{name}: {text}" if name else text
    # A claim holds no secret, so where nothing else is redacted the text stays as it is.
    if not redacted_names(policy, boundary_class):
        return whole
    return redact_for(whole, policy, boundary_class=boundary_class).text


def _leaves(name: str, policy: Policy) -> bool:
    """Return whether a name is shown as it is to those who see no personal data."""
    return cleaner(policy, ())(name) == name


def redaction_digest(policy: Policy) -> str:
    """Return a digest of all of a policy that decides what of a claim is indexed.

    What a host's dictionaries find is not in it, only which there are.
    """
    said = [
        {
            "names": sorted(names),
            "rules": [
                [rule.name, rule.find, rule.words, rule.replace]
                for rule in rules_of(policy, names)
            ],
            "dictionaries": sorted(set(names) & set(policy.dictionaries)),
        }
        for names in (redacted_names(policy, level) for level in BOUNDARY_CLASSES)
    ]
    return sha256(json.dumps([SPEAKERS, said]).encode()).hexdigest()[:16]
