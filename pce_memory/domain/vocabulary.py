"""The six vocabularies, and the order of the two that have one."""

from typing import Final, Literal, TypeAlias, get_args

ClaimKind: TypeAlias = Literal["fact", "preference", "task", "policy_hint"]
Scope: TypeAlias = Literal["session", "project", "principle"]
BoundaryClass: TypeAlias = Literal["public", "internal", "pii", "secret"]
SourceType: TypeAlias = Literal["chat", "tool", "file", "http", "system"]
FusionMode: TypeAlias = Literal["alpha", "rrf"]
"""Two lanes are joined by their scores, or by the ranks in them."""

FeedbackSignal: TypeAlias = Literal["helpful", "harmful", "outdated", "duplicate"]
EntityType: TypeAlias = Literal["Actor", "Artifact", "Event", "Concept", "Policy"]
EvidenceMethod: TypeAlias = Literal["rule", "llm", "manual"]

CLAIM_KINDS: Final[tuple[ClaimKind, ...]] = get_args(ClaimKind)
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
"""From the fastest layer to the slowest."""
BOUNDARY_CLASSES: Final[tuple[BoundaryClass, ...]] = get_args(BoundaryClass)
"""From the loosest class to the strictest."""
SOURCE_TYPES: Final[tuple[SourceType, ...]] = get_args(SourceType)
FEEDBACK_SIGNALS: Final[tuple[FeedbackSignal, ...]] = get_args(FeedbackSignal)
ENTITY_TYPES: Final[tuple[EntityType, ...]] = get_args(EntityType)


def stricter(one: BoundaryClass, other: BoundaryClass) -> BoundaryClass:
    """Return the stricter of two classes: secret > pii > internal > public.

    >>> stricter("internal", "pii")
    'pii'
    """
    return BOUNDARY_CLASSES[max(map(BOUNDARY_CLASSES.index, (one, other)))]


def slower(one: Scope, other: Scope) -> Scope:
    """Return the slower of two scopes: principle > project > session.

    >>> slower("session", "project")
    'project'
    """
    return SCOPES[max(map(SCOPES.index, (one, other)))]
