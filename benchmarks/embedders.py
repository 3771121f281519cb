"""Speed of the offline embedders, and how often they find the right fact.

    python -m benchmarks.embedders [FACTS.tsv]

FACTS.tsv has four columns: a fact and a question in English and in Japanese, as
`fact_en  fact_ja  question_en  question_ja`. Without the file the quality table is left out.
e5 is measured where `pce-memory[e5]` is installed; cold includes converting its weights where they
have not been converted yet.
"""

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray
from returns.result import Result

from pce_memory.adapters.embedders import SafeEmbedder, resolve_embedder
from pce_memory.errors import EmbeddingFailed, InvalidParameter, MemoryFault
from pce_memory.result import fold

T = TypeVar("T")

FACTS = Path(__file__).resolve().parents[2] / "shared" / "data" / "mini-bilingual" / "facts.tsv"
NAMES = ("hashing", "use-multilingual", "e5")
SENTENCES = (
    "Kenji moved the weekly design review to Thursday at ten because of the release, note {}.",
    "リリースのため、健二は毎週のデザインレビューを木曜の十時に移した。メモ{}。",
)
SINGLES, BATCH = 200, 640


def or_raise(result: Result[T, InvalidParameter | EmbeddingFailed]) -> T:
    def raised(error: InvalidParameter | EmbeddingFailed) -> NoReturn:
        raise MemoryFault(error)

    return fold(result, ok=lambda found: found, err=raised)


def embedder(name: str) -> SafeEmbedder:
    return or_raise(resolve_embedder(name))


def vectors(model: SafeEmbedder, texts: Sequence[str]) -> NDArray[np.float32]:
    return np.array(or_raise(model.embed_batch(texts)), dtype=np.float32)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    _ = work()
    return time.perf_counter() - start


def speed(name: str) -> str:
    model = embedder(name)
    cold = seconds(lambda: vectors(model, ["cold"]))
    texts = [SENTENCES[n % 2].format(n) for n in range(SINGLES + BATCH)]
    singles = sorted(seconds(partial(model.embed, text)) for text in texts[:SINGLES])
    recent = seconds(lambda: model.embed(texts[SINGLES - 1]))
    batch = seconds(lambda: vectors(model, texts[SINGLES:]))
    return (
        f"{name:18}{cold * 1e3:10.0f}{singles[SINGLES // 2] * 1e3:12.2f}"
        f"{recent * 1e6:12.0f}{BATCH / batch:12.0f}"
    )


def asked(model: SafeEmbedder, questions: Sequence[str]) -> NDArray[np.float32]:
    found = [or_raise(model.embed_query(question)) for question in questions]
    return np.array(found, dtype=np.float32)


def recall(model: SafeEmbedder, facts: Sequence[str], questions: Sequence[str]) -> str:
    cosines = asked(model, questions) @ vectors(model, facts).T
    # How many facts are nearer to each question than its own.
    ranks = (cosines > np.diagonal(cosines)[:, None]).sum(axis=1)
    return f"{(ranks < 1).mean():9.3f}/{(ranks < 10).mean():.3f}"


def quality(name: str, rows: Sequence[Sequence[str]]) -> str:
    model = embedder(name)
    fact_en, fact_ja, question_en, question_ja = zip(*rows, strict=True)
    pairs = (
        (fact_en, question_en),
        (fact_ja, question_ja),
        (fact_en, question_ja),
        (fact_ja, question_en),
    )
    return f"{name:18}" + "".join(f"{recall(model, *pair):>17}" for pair in pairs)


def installed(name: str) -> bool:
    """Return whether `name` can be measured here; say why, if not."""

    def without(error: InvalidParameter | EmbeddingFailed) -> bool:
        print(f"without {name}: {error.message}")
        return False

    return fold(resolve_embedder(name), ok=lambda _: True, err=without)


def main() -> None:
    names = [name for name in NAMES if installed(name)]
    print(f"{'embedder':18}{'cold ms':>10}{'single ms':>12}{'recent us':>12}{'batch /s':>12}")
    for name in names:
        print(speed(name))
    facts = Path(sys.argv[1]) if len(sys.argv) > 1 else FACTS
    if not facts.is_file():
        print("\nno facts.tsv: R@1/R@10 left out")
        return
    rows = [line.split("\t") for line in facts.read_text(encoding="utf-8").splitlines() if line]
    heads = ("EN q, EN fact", "JA q, JA fact", "JA q, EN fact", "EN q, JA fact")
    print(f"\n{'R@1/R@10':18}" + "".join(f"{head:>17}" for head in heads))
    for name in names:
        print(quality(name, rows))


if __name__ == "__main__":
    main()
