"""The beginnings of what a run lists, page by page."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from pce_memory.domain.fused import Count
from pce_memory.domain.model import Model


class Snippet(Model):
    """The beginning of the fields of a document; of a claim, the field is its text."""

    rank: Count
    doc_id: str
    pub_id: str
    source: str
    fields: Mapping[str, str] = {}

    @property
    def title(self) -> str | None:
        """The beginning of its title, if it has one that was asked for."""
        return self.fields.get("title")

    @property
    def abst(self) -> str | None:
        """The beginning of its abstract, if it has one that was asked for."""
        return self.fields.get("abst")

    @property
    def claim(self) -> str | None:
        """The beginning of its claims, if it has some that were asked for."""
        return self.fields.get("claim")

    @property
    def desc(self) -> str | None:
        """The beginning of its description, if it has one that was asked for."""
        return self.fields.get("desc")


class SnippetMeta(Model):
    """How snippets were cut; `used_bytes` are those of the snippets as a JSON list in UTF-8.

    `took_ms` is by the memory's clock.
    """

    used_bytes: Count
    truncated: bool
    peek_cursor: str | None
    total_docs: Count
    retrieved: Count
    returned: Count
    took_ms: Annotated[float, Field(ge=0)] = 0.0


class SnippetPage(Model):
    """Some snippets, and where the next ones begin."""

    snippets: tuple[Snippet, ...]
    meta: SnippetMeta
