"""Words that no claim holds: in what is said of entities and edges, in notes and names of ids."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.ids import called
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.claims import literals
from pce_memory.store.statements import statements
from pce_memory.store.words_held import terms_held, with_all
from pce_memory.text.secrecy import strings_in

SQL: Final = statements("graph_words")


@dataclass(frozen=True, slots=True)
class Holders:
    """What holds some words, by ids: entities by their names or else by what is said of them.

    Feedback and judgements hold what callers called them.
    """

    named: tuple[str, ...] = ()
    described: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    feedback: tuple[str, ...] = ()
    judgements: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many there are."""
        by_words = (self.named, self.described, self.relations, self.notes)
        return sum(map(len, (*by_words, self.feedback, self.judgements)))


NO_HOLDERS: Final = Holders()


@reader
def holders(deps: CoreDeps, terms: Sequence[str]) -> Result[Holders, StoreError]:
    """Return the entities, edges and notes that hold every one of the terms."""
    wanted = frozenset(terms)

    def holding(texts: Iterator[tuple[str, str]]) -> tuple[str, ...]:
        return with_all(wanted, terms_held(deps, wanted, texts))

    def graph(entities: Sequence[Row], relations: Sequence[Row]) -> Holders:
        named = holding(_texts(entities, "name"))
        described = holding(_texts(entities, "name", "attrs"))
        return Holders(
            named=named,
            described=tuple(entity for entity in described if entity not in named),
            relations=holding(_texts(relations, "type", "props")),
        )

    return Result.do(
        replace(
            graph(entities, relations),
            notes=holding(_texts(notes, "note")),
            feedback=holding(_texts(signals, "id")),
            judgements=holding(_texts(judgements, "id")),
        )
        for entities in deps.db.query(SQL["texts_of_entities"])
        for relations in deps.db.query(SQL["texts_of_relations"])
        for notes in deps.db.query(SQL["texts_of_notes"])
        for signals in deps.db.query(SQL["texts_of_feedback"])
        for judgements in deps.db.query(SQL["texts_of_judgements"])
    )


@reader
def erase(deps: CoreDeps, held: Holders) -> Result[None, StoreError]:
    """Erase what holds the words: entities that are called so, attributes, edges and notes."""
    if not held.count:
        return Success(None)
    return Result.do(
        None
        for _ in unlink(held.named)(deps)
        for _ in deps.db.execute(_ids("erase_edges_of", held.named))
        for _ in deps.db.execute(_ids("erase_mentions_of", held.named))
        for _ in deps.db.execute(_ids("erase_entities", held.named))
        for _ in deps.db.execute(_ids("erase_attrs", held.described))
        for _ in deps.db.execute(_ids("erase_relations", held.relations))
        for _ in deps.db.execute(_ids("erase_notes", held.notes))
        for _ in deps.db.execute(_ids("erase_feedback_called", held.feedback))
        for _ in deps.db.execute(_ids("erase_judgements_called", held.judgements))
    )


@reader
def unlink(deps: CoreDeps, entities: Sequence[str]) -> Result[None, StoreError]:
    """Forget that entities which are erased were named: in kept answers, and beside evidence.

    An answer has the id that an entity was given under, which others may have used too.
    """
    if not entities:
        return Success(None)
    names = sorted(set(map(called, entities)))
    return Result.do(
        None
        for rows in deps.db.query(_ids("called_also", names), {"gone": list(entities)})
        for left in Success({str(row["called"]) for row in rows})
        for gone in Success([name for name in names if name not in left])
        for _ in deps.db.execute(
            SQL["answers_linking"],
            {"ids": gone, "without": json.dumps({"linked": dict.fromkeys(gone)})},
        )
        for _ in deps.db.execute(SQL["support_naming"], {"ids": list(entities)})
    )


def _texts(
    rows: Sequence[Row], text: str, described: str | None = None
) -> Iterator[tuple[str, str]]:
    for row in rows:
        yield str(row["id"]), str(row[text])
        if described is not None and row[described] is not None:
            for part in strings_in(json.loads(str(row[described]))):
                yield str(row["id"]), part


def _ids(name: str, ids: Sequence[str]) -> str:
    return SQL[name].replace("{ids}", literals(ids))
