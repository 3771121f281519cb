"""What documents go by: documents of equal scores stand in the order of these names.

A name is written as it is shown. In the order of what is not shown, whoever adds documents beside
a hidden one would read it letter by letter.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.policy import Policy
from pce_memory.errors import StoreError
from pce_memory.policy.outgoing import Clean, cleaner
from pce_memory.result import reader
from pce_memory.store.statements import rows_json, statements, with_rows

SQL: Final = statements("document_names")


def cleaner_of_names(policy: Policy) -> Clean:
    """Return what makes a name of it that all may be shown: personal data is in none."""
    return cleaner(policy, ())


def name_of(known: Mapping[str, str], otherwise: str, clean: Clean) -> str:
    """Return the name of a document: its pub_id, else its first id, else `otherwise`.

    >>> name_of({"app_id": "7"}, "doc_1", str)
    'app_id:7'
    """
    if "pub_id" in known:
        return clean(known["pub_id"])
    return next((f"{clean(kind)}:{clean(known[kind])}" for kind in sorted(known)), otherwise)


@reader
def anew(deps: CoreDeps, doc_keys: Sequence[int], policy: Policy) -> Result[None, StoreError]:
    """Write the names of documents anew, as a policy shows them; in a transaction."""
    if not doc_keys:
        return Success(None)
    clean = cleaner_of_names(policy)

    def names(rows: Sequence[Row]) -> str:
        return rows_json(
            {
                "doc_key": int(row["doc_key"]),
                "name": name_of(json.loads(row["known"] or "{}"), str(row["id"]), clean),
            }
            for row in rows
        )

    return Result.do(
        None
        for rows in deps.db.query(with_rows(SQL["named"], doc_keys))
        for _ in deps.db.execute(SQL["set_names"], {"rows": names(rows)})
    )
