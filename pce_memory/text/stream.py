"""What a source is a part of: the thread of a message, the document of a paragraph."""

import re
from typing import Final

from pce_memory.text.tokens import term_hash

_NUMBER: Final = re.compile(r"[\d\s]+$")
_RANDOM: Final = re.compile(r"(?=[0-9a-f-]*\d)(?=[0-9a-f-]*[a-f])[0-9a-f-]{12,}", re.IGNORECASE)


def stream_of(source_type: str, source_id: str | None) -> int:
    """Return the unsigned 64-bit number of the stream a source stands in.

    Sources that differ by the number at their end alone are one stream; so are those of a type
    that say nothing of where they stand: no source id, or one that looks drawn at random.

    >>> stream_of("chat", "room-7/D1:3") == stream_of("chat", "room-7/D1:4")
    True
    >>> stream_of("chat", "room-7/D1:3") == stream_of("chat", "room-8/D1:3")
    False
    >>> random = "3f2b8c1e-9d4a-4c1b-8a7e-5d6f7a8b9c0d"
    >>> stream_of("chat", random) == stream_of("chat", None)
    True
    """
    known = "" if source_id is None else _RANDOM.sub("", source_id)
    return term_hash(f"{source_type}\n{_NUMBER.sub('', known)}")
