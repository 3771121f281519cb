"""Codes of classifications, written as they are compared: how, each taxonomy says."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

Normalizer: TypeAlias = Callable[[str], str]
"""Returns a code as it is compared."""

FULL, NORM = "_full", "_norm"
_FI_LETTER: Final = re.compile(r"(?<=\d)[A-Za-z]$", re.ASCII)


def without_last_letter(code: str) -> str:
    """Return a code without the one letter that stands behind a digit at its end.

    >>> without_last_letter("G06V10/82A"), without_last_letter("G06V10/82")
    ('G06V10/82', 'G06V10/82')
    """
    return _FI_LETTER.sub("", code.strip())


DEFAULTS: Final[Mapping[str, Normalizer]] = {"fi": without_last_letter}
"""Of all other taxonomies a code is compared as it is written."""


def base_of(taxonomy: str) -> str:
    """Return a taxonomy's own name.

    >>> base_of("fi_full"), base_of("fi_norm"), base_of("ft")
    ('fi', 'fi', 'ft')
    """
    return taxonomy.removesuffix(FULL).removesuffix(NORM)


def normalize_code(
    taxonomy: str, code: str, normalizers: Mapping[str, Normalizer] = DEFAULTS
) -> str:
    """Return a code as its taxonomy compares it.

    >>> normalize_code("fi_full", "G06V10/82A"), normalize_code("ft", "5B050AA01")
    ('G06V10/82', '5B050AA01')
    """
    known = normalizers.get(base_of(taxonomy))
    return code if known is None else known(code)


def with_norms(
    codes: Mapping[str, Sequence[str]], normalizers: Mapping[str, Normalizer] = DEFAULTS
) -> Mapping[str, tuple[str, ...]]:
    """Return codes, each once and in order, with those that are compared beside the full ones.

    >>> with_norms({"fi_full": ["G06V10/82A", "G06V10/82B"]})
    {'fi_full': ('G06V10/82A', 'G06V10/82B'), 'fi_norm': ('G06V10/82',)}
    """
    whole = {taxonomy: tuple(sorted(set(some))) for taxonomy, some in codes.items() if some}
    for taxonomy, some in codes.items():
        norm = base_of(taxonomy) + NORM
        if taxonomy.endswith(FULL) and some and norm not in whole:
            made = {normalize_code(taxonomy, code, normalizers) for code in some}
            whole[norm] = tuple(sorted(made))
    return dict(sorted(whole.items()))


class Hit(NamedTuple):
    """A stored code that hits one of the codes aimed at: which, by its place, and its weight.

    It is a full hit if both are written alike and say more than what is compared.
    """

    target: int
    taxonomy: str
    code: str
    weight: float
    is_full: bool


Weights: TypeAlias = Mapping[str, Mapping[str, float]]


def compared(
    profile: Weights, normalizers: Mapping[str, Normalizer] = DEFAULTS
) -> tuple[str, ...]:
    """Return the names under which codes are stored that have to be read to be compared.

    >>> compared({"fi": {"H05B1/00A": 1.0}, "tag": {"lamp": 1.0}})
    ('fi', 'fi_full', 'fi_norm')
    """
    bases = sorted({base_of(name) for name in profile} & set(normalizers))
    return tuple(name for base in bases for name in names_of(base))


def hits_of(
    profile: Weights,
    stored: Iterable[tuple[str, str]],
    normalizers: Mapping[str, Normalizer] = DEFAULTS,
) -> Iterator[Hit]:
    """Yield which stored codes hit which codes of a profile: those that are compared as equal.

    `fi`, `fi_norm` and `fi_full` are one taxonomy. What has no normalizer is compared as it is
    written, and so need not be among the stored.

    >>> [one.is_full for one in hits_of({"fi": {"H05B1/00A": 1.0}}, [("fi_full", "H05B1/00A")])]
    [True]
    >>> [one.is_full for one in hits_of({"fi": {"H05B1/00A": 1.0}}, [("fi_norm", "H05B1/00")])]
    [False]
    """
    aims = [
        (name, code, weight) for name, codes in profile.items() for code, weight in codes.items()
    ]
    by_norm: dict[tuple[str, str], list[int]] = {}
    for place, (name, code, _) in enumerate(aims):
        key = (base_of(name), normalize_code(name, code, normalizers))
        by_norm.setdefault(key, []).append(place)
    as_written = (
        (name, code)
        for taxonomy, code, _ in aims
        if base_of(taxonomy) not in normalizers
        for name in names_of(base_of(taxonomy))
    )
    for name, code in dict.fromkeys((*stored, *as_written)):
        norm = normalize_code(name, code, normalizers)
        for place in by_norm.get((base_of(name), norm), ()):
            _, wanted, weight = aims[place]
            yield Hit(place, name, code, weight, code == wanted != norm)


FULL_SHARE: Final = 0.1
"""What a full hit counts above what is compared as equal, of the weight of a code."""


def aims_of(
    profile: Weights,
    stored: Iterable[tuple[str, str]],
    normalizers: Mapping[str, Normalizer] = DEFAULTS,
) -> Iterator[Mapping[str, object]]:
    """Yield what a lane looks for: a stored code, which target it hits, and what it counts.

    A target counts once in what carries it: as the best of its hits, of which a full one is worth
    a tenth more.

    >>> aims = aims_of({"fi": {"F1A": 1.0}}, [("fi_norm", "F1"), ("fi_full", "F1A")])
    >>> [(one["taxonomy"], one["weight"]) for one in aims]
    [('fi_norm', 1.0), ('fi_full', 1.1)]
    """
    for one in hits_of(profile, stored, normalizers):
        weight = one.weight * (1 + FULL_SHARE) if one.is_full else one.weight
        yield {
            "target": one.target,
            "taxonomy": one.taxonomy,
            "code": one.code,
            "weight": weight,
        }


def names_of(base: str) -> tuple[str, str, str]:
    """Return the names that codes of a taxonomy are stored under."""
    return (base, base + FULL, base + NORM)
