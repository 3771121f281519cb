"""What stands beside a claim's text on its way out: who said it, where, under which tags.

These are kept as they were given, so that they can be traced and forgotten by name. What leaves
under a boundary without personal data has none that can be found; under one with it, the policy's
own list counts.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias, cast

from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.ids import called
from pce_memory.domain.model import M, Model
from pce_memory.domain.policy import Policy
from pce_memory.domain.provenance import Evidence
from pce_memory.domain.vocabulary import BoundaryClass, stricter
from pce_memory.policy.redaction import Redactor, missing_dictionaries, redact_for, redactor
from pce_memory.text.redact import Redaction, redact

Clean: TypeAlias = Callable[[str], str]

_AS_THEY_ARE: Final = frozenset({"id", "claim_id", "observation_id", "at", "commit"})
"""Fields that are ids, times or digests: the engine checked them when they came in."""
_SAYS: Final = ("note", "source_id", "snippet", "provenance")
"""The fields of evidence that hold words of somebody's."""


def cleaner(policy: Policy, classes: Sequence[BoundaryClass]) -> Clean:
    """Return what takes personal data out of small texts, as a view of these classes asks for."""
    known: dict[str, str] = {}

    def clean(text: str) -> str:
        if text not in known:
            told = redact_for(text, policy, boundary_class="pii").text
            known[text] = told if "pii" in classes else redact(told).text
        return known[text]

    return clean


def text_out(claim: AnyClaim, policy: Policy) -> Redaction:
    """Return a claim's text as it leaves: at the least without what class pii redacts.

    A policy may name today what it did not know when the claim was written. Where a dictionary is
    missing, which only a memory that is read may be, what was redacted when it was written stands.
    """
    return redacted_out(claim.text, claim.boundary_class, policy)


def redacted_out(text: str, boundary_class: BoundaryClass, policy: Policy) -> Redaction:
    """Return a text of a class as it leaves: see `text_out`."""
    return redactor_out(boundary_class, policy)(text)


def redactor_out(boundary_class: BoundaryClass, policy: Policy) -> Redactor:
    """Return what redacts texts of a class on their way out: see `text_out`."""
    known = not missing_dictionaries(policy)
    return redactor(policy, stricter(boundary_class, "pii") if known else boundary_class)


def query_out(query: str, policy: Policy) -> str:
    """Return a query as it leaves: without what is taken out of the texts it is compared with.

    Where a dictionary is missing, without all that the built-in detectors find.
    """
    if missing_dictionaries(policy):
        return redact(query).text
    return redact_for(query, policy, boundary_class="pii").text


def as_told(claim: AnyClaim, text: str, clean: Clean) -> AnyClaim:
    """Return a claim as it leaves, in these words; its hash stays if nothing was taken out.

    The hash of what is not shown would tell whoever guesses it.
    """
    told: dict[str, object] = {"tags": tags_out(claim.tags, clean), **_as_called(claim)}
    if text != claim.text:
        told |= {"text": text, "content_hash": None}
    return claim if told == {"tags": claim.tags} else claim.model_copy(update=told)


def _as_called(claim: AnyClaim) -> Mapping[str, object]:
    """Return the ids of a claim that are called otherwise outside: see `called`."""
    ids = {"id": called(claim.id), "derived_from": tuple(map(called, claim.derived_from))}
    return {name: value for name, value in ids.items() if getattr(claim, name) != value}


def evidence_out(evidences: Sequence[Evidence], clean: Clean) -> tuple[Evidence, ...]:
    """Return evidence as it leaves."""
    return tuple(_evidence_told(one, clean) for one in evidences)


def _evidence_told(one: Evidence, clean: Clean) -> Evidence:
    told = {
        name: _told(value, clean) for name in _SAYS if (value := getattr(one, name)) is not None
    }
    if called(one.claim_id) != one.claim_id:
        told["claim_id"] = called(one.claim_id)
    return one.model_copy(update=told) if told else one


def plain_out(given: object, clean: Clean) -> object:
    """Return a value of JSON with its texts cleaned, names included.

    >>> plain_out({"by": ["Aiko", 3], "Aiko": None}, lambda text: text.replace("Aiko", "[name]"))
    {'by': ['[name]', 3], '[name]': None}
    """
    if isinstance(given, str):
        return clean(given)
    if isinstance(given, Mapping):
        items = cast("Mapping[str, object]", given).items()
        return {clean(name): plain_out(value, clean) for name, value in items}
    if isinstance(given, (list, tuple)):
        return [plain_out(one, clean) for one in cast("Sequence[object]", given)]
    return given


def tags_out(tags: Sequence[str], clean: Clean) -> tuple[str, ...]:
    """Return the tags that hold nothing to take out: a tag is a word, so it is left out whole."""
    return tuple(tag for tag in tags if clean(tag) == tag)


def _cleaned(model: M, clean: Clean) -> M:
    """Return a model with its texts cleaned; the new ones may be longer than it would take."""
    told = {name: _told(value, clean) for name, value in model if name not in _AS_THEY_ARE}
    return model.model_copy(update=told)


def _told(value: object, clean: Clean) -> object:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Model):
        return _cleaned(value, clean)
    if isinstance(value, tuple):
        return tuple(_told(one, clean) for one in cast("tuple[object, ...]", value))
    return value
