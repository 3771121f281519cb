"""Recall of documented tokens by form and vendor, and false finds in ordinary code and prose."""

import json
import sysconfig
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from importlib.metadata import distributions
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, cast

from benchmarks.secret_forms import FORMS, Sample, samples
from pce_memory.text.detect import SECRET_KINDS, detect
from pce_memory.text.fold import readings
from pce_memory.text.secrets import SECRETS

SHARED: Final = Path(__file__).parents[2] / "shared" / "data"
LINES: Final = 12_000
# What any secret is found by, whoever gave it out: all but the table and the patterns of vendors.
UNKNOWN: Final = frozenset({"password", "private_key", "database_url", "jwt"})
PLACEHOLDERS: Final = (
    "xxxxxxxxxxxxxxxxxxxxxxxx",
    "<TOKEN>",
    "<your-api-token>",
    "${ACME_TOKEN}",
    "{{ vault_token }}",
    "%ACME_TOKEN%",
    "$ACME_TOKEN",
    "changeme",
    "CHANGE_ME",
    "your-token-here",
    "YOUR_API_KEY",
    "my-secret-token",
    "REPLACE_WITH_YOUR_TOKEN",
    "[redacted]",
    "****************",
    "................",
    "placeholder",
    "example-token",
    "null",
    "undefined",
    "insert_token_here",
    "process.env.TOKEN",
    "os.environ",
    "required",
    "!vault",
)


class Share(NamedTuple):
    """How many of how many."""

    right: int = 0
    total: int = 0

    def plus(self, *, right: bool) -> "Share":
        return Share(self.right + right, self.total + 1)

    @property
    def value(self) -> float:
        return self.right / self.total if self.total else 1.0


Finder = Callable[[str], Collection[tuple[int, int]]]


def known(text: str) -> list[tuple[int, int]]:
    """Return where secrets are found, with all that is known of vendors."""
    return [(start, end) for _, start, end in detect(text, SECRET_KINDS)]


def unknown(text: str) -> list[tuple[int, int]]:
    """Return where they are found without the table and the patterns of vendors."""
    return [
        reading.span(*span)
        for reading in readings(text)
        for kind in UNKNOWN
        for span in SECRETS[kind](reading.text)
    ]


def is_covered(sample: Sample, find: Finder) -> bool:
    """Tell whether each letter and digit of the token of a sample is found."""
    start = sample.text.index(sample.token)
    places = find(sample.text)
    return all(
        any(begin <= start + place < end for begin, end in places)
        for place, char in enumerate(sample.token)
        if char.isalnum()
    )


def recall(
    find: Finder, *, bare: bool, seed: int = 1
) -> tuple[dict[str, Share], dict[str, Share]]:
    """Return the recall by form and by vendor; "all" is the sum."""
    by_form: defaultdict[str, Share] = defaultdict(Share)
    by_vendor: defaultdict[str, Share] = defaultdict(Share)
    for sample in samples(seed=seed, bare=bare):
        right = is_covered(sample, find)
        for key, shares in ((sample.form, by_form), ("all", by_form), (sample.vendor, by_vendor)):
            shares[key] = shares[key].plus(right=right)
    return dict(sorted(by_form.items())), dict(sorted(by_vendor.items()))


def left_alone() -> Share:
    """Return how many placeholders, each in every form, are left alone."""
    share = Share()
    names = {"n": "Acme", "c": "acme", "u": "ACME", "s": "acme", "k": "acme"}
    for form in FORMS.values():
        for value in PLACEHOLDERS:
            share = share.plus(right=not known(form.format(v=value, **names)))
    return share


def ordinary(*, seed: int = 1, lines: int = LINES) -> Iterator[str]:
    """Yield ordinary texts, of so many lines each kind: code, READMEs, and talk and articles."""
    rng = Random(seed)
    for texts in (_code(rng), _readmes(rng), _prose()):
        count = 0
        for text in texts:
            if count >= lines // 3:
                break
            count += text.count("\n") + 1
            yield text


def _code(rng: Random) -> Iterator[str]:
    paths = sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py"))
    paths = [path for path in paths if "site-packages" not in path.parts]
    for path in rng.sample(paths, len(paths)):
        if path.stat().st_size < 1 << 16:
            yield path.read_text("utf-8", "replace")


def _readmes(rng: Random) -> Iterator[str]:
    readmes = sorted(dist.read_text("METADATA") or "" for dist in distributions())
    yield from rng.sample(readmes, len(readmes))


def _prose() -> Iterator[str]:
    for name in ("locomo-dev/locomo-dev.json", "jsquad-dev/corpus.jsonl"):
        path = SHARED / name
        if path.exists():
            rows = path.read_text("utf-8").splitlines() if path.suffix == ".jsonl" else ()
            values = map(json.loads, rows) if rows else [json.loads(path.read_text("utf-8"))]
            for value in values:
                yield from _strings(value)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _strings(list(cast("dict[str, object]", value).values()))
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from _strings(item)


def false_finds(*, lines: int = LINES) -> tuple[int, int]:
    """Return how many secrets are found in ordinary texts, and how many lines these have."""
    texts = list(ordinary(lines=lines))
    return sum(len(known(text)) for text in texts), sum(text.count("\n") + 1 for text in texts)


def report() -> None:
    """Print all of it."""
    by_form, by_vendor = recall(known, bare=False)
    alone_form, alone_vendor = recall(unknown, bare=False)
    print("\nDocumented tokens: recall by form, with the table and without\n")
    print("| form | planted | recall | vendor left out |\n|---|--:|--:|--:|")
    for form, share in by_form.items():
        print(f"| {form} | {share.total} | {share.value:.3f} | {alone_form[form].value:.3f} |")
    print("\nBy vendor\n\n| vendor | planted | recall | left out |\n|---|--:|--:|--:|")
    for vendor, share in by_vendor.items():
        left_out = alone_vendor[vendor].value
        print(f"| {vendor} | {share.total} | {share.value:.3f} | {left_out:.3f} |")
    bare, bare_alone = recall(known, bare=True)[0]["all"], recall(unknown, bare=True)[0]["all"]
    print(f"\nBare in prose: {bare.value:.3f} of {bare.total}, left out {bare_alone.value:.3f}")
    alone, right = left_alone(), by_form["all"].right
    wrong = alone.total - alone.right
    print(f"Placeholders left alone: {alone.value:.3f} of {alone.total}")
    print(f"Precision, samples and placeholders together: {right / (right + wrong):.3f}")
    finds, lines = false_finds()
    print(f"False finds in {lines} ordinary lines: {finds}, {finds / lines * 1000:.2f} a thousand")
