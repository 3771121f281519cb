"""Which of the documents that are there a given one is, by the ids they share.

The ids are gone through in a fixed order: pub_id, app_doc_id, app_id, exam_id, then those of any
other type by its name. The first that a document has decides: what is given is that document,
whatever ids of later types now say; one that has another id of an earlier type is another, as two
publications of one application are. Of types of any other name nothing is known: they decide only
where no id that both have differs. Ids that are of two documents are refused: to take one of the
two for it, or both, would lose what the other holds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.errors import InvalidParameter

Ids: TypeAlias = Mapping[str, str]

RANKED: Final = ("pub_id", "app_doc_id", "app_id", "exam_id")
"""The types of ids that decide, the first first."""

_TWO: Final = (
    "its ids are those of two documents; give them as they are there, or forget one of the two"
)


@dataclass(frozen=True, slots=True)
class Known:
    """What visible documents are called, by their keys; and which of them are called so."""

    ids: Mapping[int, Ids]
    holders: Mapping[tuple[str, str], frozenset[int]] = field(init=False)

    def __post_init__(self) -> None:
        """Index the documents by what they are called."""
        found: dict[tuple[str, str], set[int]] = {}
        for key, ids in self.ids.items():
            for pair in ids.items():
                found.setdefault(pair, set()).add(key)
        object.__setattr__(
            self, "holders", {pair: frozenset(keys) for pair, keys in found.items()}
        )

    def having(self, given: Ids) -> frozenset[int]:
        """Return those that have any of these ids."""
        return frozenset[int]().union(*(self.holders.get(one, ()) for one in given.items()))

    def one_with(self, given: Ids) -> Result[frozenset[int], InvalidParameter]:
        """Return those that a document with these ids may be, or that its ids are of two.

        Several are left where one was hidden to who added the other.
        """
        chosen: frozenset[int] = frozenset()
        for kind in sorted(given, key=_rank):
            having = self.holders.get((kind, given[kind]), frozenset())
            fit = frozenset(key for key in having if _may_be(given, self.ids[key], kind))
            if not chosen:
                chosen = fit
            elif chosen & having:
                chosen &= having
            elif fit or (having and self._is_another(chosen, kind)):
                return Failure(InvalidParameter("external_ids", _TWO))
        return Success(chosen)

    def _is_another(self, chosen: frozenset[int], kind: str) -> bool:
        """Whether documents would get an id of another in place of one of their own.

        Those that have none of the type may get it: an application has several publications.
        """
        return kind in RANKED and all(kind in self.ids[key] for key in chosen)


def _rank(kind: str) -> tuple[int, str]:
    return (RANKED.index(kind) if kind in RANKED else len(RANKED)), kind


def _may_be(given: Ids, other: Ids, kind: str) -> bool:
    """Whether a document that shares the id of a type may be the other, by what decides before."""
    earlier = RANKED[: RANKED.index(kind)] if kind in RANKED else given
    return all(other.get(one, given[one]) == given[one] for one in earlier if one in given)
