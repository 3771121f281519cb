"""Ask why a claim is shown or not: under a boundary, or as an answer to a query."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack, overload

from returns.result import Failure, Result, Success

from pce_memory.domain.arguments import ExplainFields, ExplainSearchFields
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.explanation import Explanation
from pce_memory.domain.ids import ClaimId, DocumentId, parse_id
from pce_memory.domain.model import parse
from pce_memory.domain.query import Query
from pce_memory.engine.explaining import explain, explain_search
from pce_memory.engine.ready import Ready
from pce_memory.engine.running import Runner, apart
from pce_memory.errors import CoreError, InvalidParameter
from pce_memory.policy.tags import warned_tags


@dataclass(frozen=True, slots=True)
class Why:
    """What is to be explained: a claim, as an answer to the query where there is one."""

    query: tuple[Any, ...]
    claim_id: Any
    rest: Mapping[str, object]


def what_to_explain(
    given: tuple[object, ...], named: Mapping[str, object]
) -> Result[Why, InvalidParameter]:
    """Return what a call asks for: a claim id, or a query and a claim id, by place or by name."""
    rest = dict(named)
    ids = [rest.pop("claim_id")] if "claim_id" in rest else []
    queries = [rest.pop("query")] if "query" in rest else []
    match [*queries, *given, *ids]:
        case [claim_id] if not queries:
            return Success(Why((), claim_id, rest))
        case [query, claim_id]:
            return Success(Why((query,), claim_id, rest))
        case _:
            return Failure(
                InvalidParameter("claim_id", "give a claim id, or a query and then one")
            )


def _claim(given: object) -> Result[ClaimId, CoreError]:
    """Return the id of a claim; of a document's, there or not, what to ask instead."""
    if isinstance(parse_id(DocumentId, given), Success):
        reason = (
            "it is the id of a document, and claims alone are explained; publication(id, 'id') "
            "returns a document where the boundary shows it"
        )
        return Failure(InvalidParameter("claim_id", reason))
    return parse_id(ClaimId, given).alt(lambda error: error)


def _warned(found: Explanation, limits: Boundary, ready: Ready) -> Explanation:
    warnings = warned_tags(limits.allow, ready.policy)
    return found.model_copy(update={"warnings": warnings}) if warnings else found


class Explanations(Runner):
    """Why a claim is shown or not, as Results."""

    @overload
    def explain(
        self, claim_id: str, **fields: Unpack[ExplainFields]
    ) -> Result[Explanation, CoreError]: ...
    @overload
    def explain(
        self, query: str, claim_id: str, **fields: Unpack[ExplainSearchFields]
    ) -> Result[Explanation, CoreError]: ...
    def explain(self, *given: object, **fields: Any) -> Result[Explanation, CoreError]:
        """Return why a claim is shown or not, check by check.

        `explain(claim_id)`: under a boundary, whatever is asked; it is the owner who asks.
        Keywords: allow, scope, boundary; see `ExplainFields`.

        `explain(query, claim_id)`: as an answer to a query, with its rank and score in each lane
        and what would change it; it is the caller who asks, and a claim that the boundary hides
        is unknown. Keywords: scope, allow, top_k, boundary; see `ExplainSearchFields`.
        """
        boundary, rest = apart(fields)
        return self.run(
            "explain",
            boundary,
            lambda ready: Result.do(
                told
                for asked in what_to_explain(given, rest)
                for told in (
                    self._explained_search(asked.query[0], asked.claim_id, asked.rest, ready)
                    if asked.query
                    else self._explained(asked.claim_id, asked.rest, ready)
                )
            ),
        )

    def _explained(
        self, claim_id: str, rest: Mapping[str, object], ready: Ready
    ) -> Result[Explanation, CoreError]:
        return Result.do(
            told
            for one in _claim(claim_id)
            for limits in parse(Boundary, {**ready.boundary.model_dump(), **rest})
            for found in explain(one, limits, ready.policy)(self.deps)
            for told in Success(_warned(found, limits, ready))
        )

    def _explained_search(
        self, query: str, claim_id: str, rest: Mapping[str, object], ready: Ready
    ) -> Result[Explanation, CoreError]:
        return Result.do(
            told
            for one in _claim(claim_id)
            for asked in parse(Query, {"q": query, **rest})
            for told in explain_search(asked, one, ready.boundary, ready.policy)(self.deps)
        )
