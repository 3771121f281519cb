"""What a policy would change on a real file: ids and counts."""

from typing import Annotated

from pydantic import Field

from pce_memory.domain.boundary import AllowTag
from pce_memory.domain.ids import ClaimIdField, PolicyVersionField
from pce_memory.domain.model import Model


class PreviewQuery(Model):
    """For the holders of which tags changes are counted, and whether claims are named."""

    allow: Annotated[tuple[AllowTag, ...], Field(max_length=256)] = ()
    ids: Annotated[bool, Field(strict=True)] = False


class Affected(Model):
    """Some claims: how many, and, on request, which."""

    count: Annotated[int, Field(ge=0)] = 0
    ids: tuple[ClaimIdField, ...] = ()


class AudienceImpact(Model):
    """What changes for those who hold one tag; a pattern stands for any tag under it."""

    tag: str
    before: Annotated[int, Field(ge=0)]
    after: Annotated[int, Field(ge=0)]
    appear: Affected
    disappear: Affected


class PolicyImpact(Model):
    """What would change if a policy took the place of the one in force.

    redacted: claims whose text would be shown otherwise than today. expired: claims that live now
    and would not. queued, denied: claims of classes whose new claims would wait for a human or be
    refused, where they are kept today; those in the memory stay. warnings: a sentence for each tag
    that was asked for and that neither policy shows a class to by its name.
    """

    version_before: PolicyVersionField
    version_after: PolicyVersionField
    audiences: tuple[AudienceImpact, ...]
    redacted: Affected
    expired: Affected
    queued: Affected
    denied: Affected
    warnings: tuple[str, ...] = ()
