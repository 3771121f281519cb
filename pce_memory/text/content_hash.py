"""Name a text by what it says: the hash that makes equal claims one, and the key of near ones."""

import hashlib
import unicodedata
from typing import Final

from pce_memory.text.fold import caseless, normalized

# Signs that carry meaning at the edge of a text: $5 and 5€, but also C#, C++ and 50%.
_CURRENCY: Final = "Sc"
_MEANT_AT_END: Final = frozenset("#+%‰°")


def normalize_content(text: str) -> str:
    r"""Return `text` in NFC with every run of white space made one space, and none outside.

    >>> normalize_content("  hello \r\n world ")
    'hello world'
    >>> normalize_content("カ\u3099\u3000　x")
    'ガ x'
    """
    return " ".join(normalized("NFC", text).split())


def content_hash(text: str) -> str:
    r"""Return `sha256:` and 64 hex digits of the normalised text.

    >>> content_hash("hello world")
    'sha256:b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'
    >>> content_hash("  hello \r\n world ") == content_hash("hello world")
    True
    >>> content_hash("")
    'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    >>> content_hash("ガ") == content_hash("カ\u3099")
    True
    >>> content_hash("ガ")
    'sha256:0ce4a3ddbd00020fc8aeccb80c17289b8a2e96f0666dfca564b48e29237056fa'
    >>> content_hash("解約APIは POST /cancel")
    'sha256:036ff2ee49eef49fbe7a07a66c8d0bef3fd293be157254bd0e733d95df1df7cc'
    """
    # Surrogates never reach the store; a hash of them still must not raise.
    encoded = normalize_content(text).encode("utf-8", "surrogatepass")
    return f"sha256:{hashlib.sha256(encoded).hexdigest()}"


def near_key(text: str) -> str:
    """Return a key that texts share when only case, width or outer punctuation tell them apart.

    >>> near_key("Hello,  world!") == near_key("「ＨＥＬＬＯ, world」")
    True
    >>> near_key("hello, world") == near_key("hello world")
    False
    >>> near_key("I like C++") == near_key("I like C#")
    False
    >>> near_key("!!!") == near_key("???")
    False
    >>> near_key("")
    'near:cae66941d9efbd404e4d88758ea67670'
    """
    folded = " ".join(caseless(text).split())
    encoded = (_without_outer_signs(folded) or folded).encode("utf-8", "surrogatepass")
    return f"near:{hashlib.blake2b(encoded, digest_size=16).hexdigest()}"


def _without_outer_signs(text: str) -> str:
    start, end = 0, len(text)
    while start < end and not _is_meant(text[start], at_end=False):
        start += 1
    while end > start and not _is_meant(text[end - 1], at_end=True):
        end -= 1
    return text[start:end]


def _is_meant(char: str, *, at_end: bool) -> bool:
    category = unicodedata.category(char)
    if category[0] in "LNM" or category == _CURRENCY:
        return True
    return at_end and char in _MEANT_AT_END
