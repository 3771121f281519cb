"""The stores that a user would pick instead: each is filled, opened anew, and asked."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from benchmarks.corpus import Corpus, Floats
from pce_memory.domain.claim import Claim
from pce_memory.text.tokens import query_terms, terms

SHOWN: Final = 12
LANE: Final = 48
NARROW: Final = "session"
RRF: Final = 60.0


class Peer(Protocol):
    """A store that is filled, opened anew, and asked."""

    def fill(self, corpus: Corpus) -> None:
        """Write all claims and what finds them."""
        ...

    def open(self) -> None:
        """Open what was written."""
        ...

    def ask(self, query: str, vector: Floats, scope: str | None) -> Sequence[str]:
        """Return the texts of the best, of one scope where it is given."""
        ...


class Numpy:
    """Every vector compared, and nothing else: the floor. It keeps no file but the array."""

    def __init__(self, folder: Path) -> None:
        self._place = folder / "vectors.npz"

    def fill(self, corpus: Corpus) -> None:
        """Write the vectors."""
        claims, vectors = _everything(corpus)
        np.savez(
            self._place,
            vectors=vectors,
            texts=np.array([one.text for one in claims]),
            scopes=np.array([one.scope for one in claims]),
        )

    def open(self) -> None:
        """Read them."""
        held = np.load(self._place)
        self._vectors, self._texts = held["vectors"], held["texts"]
        self._narrow = np.flatnonzero(held["scopes"] == NARROW)

    def ask(self, query: str, vector: Floats, scope: str | None) -> Sequence[str]:
        """Return the texts of the nearest."""
        del query
        places = self._narrow if scope else None
        rows = self._vectors if places is None else self._vectors[places]
        scores = np.einsum("ij,j->i", rows, vector)  # in one thread, as fast as memory allows
        best = np.argpartition(-scores, SHOWN)[:SHOWN]
        best = best[np.argsort(-scores[best])]
        return [str(text) for text in self._texts[best if places is None else places[best]]]


class PlainDuckDB:
    """The extension's index of words and a scan of vectors, in one statement."""

    def __init__(self, folder: Path) -> None:
        self._place = folder / "plain.duckdb"

    def fill(self, corpus: Corpus) -> None:
        """Write rows, and index their words; the text is cut into words first, as ours is."""
        import duckdb

        with duckdb.connect(str(self._place)) as con:
            self._load(con)
            con.execute(
                "create table c (id bigint primary key, text varchar, words varchar,"
                f" scope varchar, v float[{corpus.seeds.shape[1]}])"
            )
            start = 0
            for claims, vectors in corpus.chunks():
                self._insert(con, start, claims, vectors)
                start += len(claims)
            con.execute(
                "pragma create_fts_index('c', 'id', 'words', stemmer='none', stopwords='none',"
                " strip_accents=0, ignore='[ ]+')"
            )

    def _insert(self, con: Any, start: int, claims: Sequence[Claim], vectors: Floats) -> None:
        columns = {f"v{at}": vectors[:, at] for at in range(vectors.shape[1])}
        rows = [
            {"n": n, "t": one.text, "w": " ".join(terms(one.text)), "s": one.scope}
            for n, one in enumerate(claims)
        ]
        con.register("given", {"n": np.arange(len(claims)), **columns})
        con.execute(
            f"insert into c select n + {start}, t, w, s, array_value({','.join(columns)})"
            " from given join (select unnest(from_json($rows,"
            ' \'[{"n":"BIGINT","t":"VARCHAR","w":"VARCHAR","s":"VARCHAR"}]\'),'
            " recursive := true)) using (n)",
            {"rows": json.dumps(rows)},
        )
        con.unregister("given")

    def _load(self, con: Any) -> None:
        import duckdb
        import duckdb_extension_fts

        place = Path(duckdb_extension_fts.__file__).parent / "extensions"
        con.execute("set enable_progress_bar = false; set threads = 2")
        con.execute(f"load '{place / f'v{duckdb.__version__}' / 'fts.duckdb_extension'}'")

    def open(self) -> None:
        """Open the file."""
        import duckdb

        self._con = duckdb.connect(str(self._place))
        self._load(self._con)

    def ask(self, query: str, vector: Floats, scope: str | None) -> Sequence[str]:
        """Return the texts of the best of both lanes, one statement."""
        words = " ".join(query_terms(query))
        given = "[" + ",".join(f"{one:.7g}" for one in vector) + "]"
        where = f"where scope = '{NARROW}'" if scope else ""
        rows = self._con.execute(
            "with s as (select text, fts_main_c.match_bm25(id, $words) as b,"
            f" array_cosine_similarity(v, $v::varchar::float[{len(vector)}]) as m from c {where})"
            " select text from s order by 0.65 * (m + 1) / 2"
            " + 0.35 * coalesce(b / nullif(max(b) over (), 0), 0) desc limit 12",
            {"words": words, "v": given},
        ).fetchall()
        return [row[0] for row in rows]


class Lance:
    """LanceDB with an index of words and its own hybrid search; vectors are scanned, exactly."""

    def __init__(self, folder: Path) -> None:
        self._place = folder / "lance"

    def fill(self, corpus: Corpus) -> None:
        """Write rows, and index their words."""
        lancedb, pa = import_module("lancedb"), import_module("pyarrow")

        def batches() -> Iterator[Any]:
            for claims, vectors in corpus.chunks():
                wide = vectors.shape[1]
                flat = pa.array(np.ascontiguousarray(vectors).ravel())
                yield pa.table(
                    {
                        "text": [one.text for one in claims],
                        "scope": [one.scope for one in claims],
                        "vector": pa.FixedSizeListArray.from_arrays(flat, wide),
                    }
                )

        db = lancedb.connect(str(self._place))
        table: Any = None
        for batch in batches():
            if table is None:
                table = db.create_table("c", batch)
            else:
                table.add(batch)
        table.create_fts_index("text")

    def open(self) -> None:
        """Open the folder."""
        lancedb = import_module("lancedb")
        self._table = lancedb.connect(str(self._place)).open_table("c")

    def ask(self, query: str, vector: Floats, scope: str | None) -> Sequence[str]:
        """Return the texts of the best of both lanes."""
        plain = "".join(char if char.isalnum() else " " for char in query).strip() or "a"
        search = self._table.search(query_type="hybrid").vector(vector).text(plain)
        if scope:
            search = search.where(f"scope = '{NARROW}'", prefilter=True)
        texts: list[str] = search.limit(SHOWN).to_arrow()["text"].to_pylist()
        return texts


class ChromaFts5:
    """Chroma for the vectors, SQLite's FTS5 for the words, joined by reciprocal rank."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def fill(self, corpus: Corpus) -> None:
        """Write both."""
        self.open()
        self._sql.execute("create virtual table c using fts5(text, scope unindexed)")
        start = 0
        for claims, vectors in corpus.chunks():
            texts = [one.text for one in claims]
            self._sql.executemany(
                "insert into c(rowid, text, scope) values (?, ?, ?)",
                [(start + n, one.text, one.scope) for n, one in enumerate(claims)],
            )
            for at in range(0, len(claims), 5_000):
                piece = slice(at, at + 5_000)
                self._vectors.add(
                    ids=[str(start + at + n) for n in range(len(texts[piece]))],
                    embeddings=vectors[piece],
                    documents=texts[piece],
                    metadatas=[{"scope": one.scope} for one in claims[piece]],
                )
            start += len(claims)
        self._sql.commit()

    def open(self) -> None:
        """Open both."""
        chromadb = import_module("chromadb")

        self._sql = sqlite3.connect(self._folder / "words.sqlite")
        client = chromadb.PersistentClient(
            str(self._folder / "chroma"), chromadb.Settings(anonymized_telemetry=False)
        )
        self._vectors = client.get_or_create_collection(
            "claims", metadata={"hnsw:space": "cosine"}, embedding_function=None
        )

    def ask(self, query: str, vector: Floats, scope: str | None) -> Sequence[str]:
        """Return the texts of the best of both lanes."""
        where = {"scope": scope} if scope else None
        near = self._vectors.query(
            query_embeddings=[vector], n_results=LANE, where=where, include=["documents"]
        )
        texts = dict(zip(near["ids"][0], near["documents"][0], strict=True))
        words = ["".join(char for char in word if char.isalnum()) for word in query.split()]
        match = " OR ".join(f'"{word}"' for word in words if word) or '"a"'
        only = f" and scope = '{scope}'" if scope else ""
        found = self._sql.execute(
            f"select rowid, text from c where c match ?{only} order by rank limit {LANE}", (match,)
        ).fetchall()
        ranks: dict[str, float] = {}
        for lane in (near["ids"][0], [str(row) for row, _ in found]):
            for rank, one in enumerate(lane, start=1):
                ranks[one] = ranks.get(one, 0.0) + 1.0 / (RRF + rank)
        texts.update((str(row), text) for row, text in found)
        return [texts[one] for one in sorted(ranks, key=lambda key: -ranks[key])[:SHOWN]]


def _everything(corpus: Corpus) -> tuple[list[Claim], Floats]:
    claims: list[Claim] = []
    parts: list[Floats] = []
    for some, vectors in corpus.chunks():
        claims += some
        parts.append(vectors)
    return claims, np.concatenate(parts)
