"""Codes of classifications, written as they are compared: how, each taxonomy says."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

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
