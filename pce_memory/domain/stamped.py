"""Results that name the policy they were made under, and what is likely a slip."""

from collections.abc import Iterable, Sequence
from typing import Self, TypeVar, cast

from pce_memory.domain.ids import PolicyVersion, PolicyVersionField
from pce_memory.domain.model import Model

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Stamped(Model):
    """A result of a memory's operation; `policy_version` is that of the policy in force then."""

    policy_version: PolicyVersionField | None = None


class Warned(Model):
    """A result that says what is likely a slip of the caller's.

    `warnings` has a sentence for each tag of the boundary that no class is shown to by its name.
    """

    warnings: tuple[str, ...] = ()


class _Warning:
    """What has warnings of its own; a tuple that has slots only could not."""

    warnings: tuple[str, ...] = ()


class SearchResult(_Warning, tuple[T_co, ...]):
    """What a search found, the best first: a tuple, with the `warnings` of `Warned` beside it.

    >>> found = SearchResult(["a", "b"], ["a slip"])
    >>> found == ("a", "b"), found.warnings
    (True, ('a slip',))
    """

    __slots__ = ()

    def __new__(cls, items: Iterable[T_co] = (), warnings: Iterable[str] = ()) -> Self:
        """Return a tuple of the items that has these warnings."""
        result = super().__new__(cls, items)
        result.warnings = tuple(warnings)
        return result


def can_warn(value: object) -> bool:
    """Return whether a result, or one of several, has a place for warnings.

    >>> can_warn(SearchResult()), can_warn((SearchResult(),)), can_warn(("a", 1))
    (True, True, False)
    """
    if isinstance(value, (SearchResult, Warned)):
        return True
    return isinstance(value, tuple) and any(map(can_warn, cast("tuple[object, ...]", value)))


def stamped(value: T, version: PolicyVersion, warnings: Sequence[str] = ()) -> T:
    """Return a result, each of several, and the results in one, with a policy's version.

    A result that can warn has these `warnings` beside its own.
    """
    if isinstance(value, SearchResult):
        found = cast("SearchResult[object]", value)
        parts = tuple(stamped(part, version) for part in found)
        return cast("T", SearchResult(parts, dict.fromkeys((*found.warnings, *warnings))))
    if isinstance(value, tuple):
        each = cast("tuple[object, ...]", value)
        return cast("T", tuple(stamped(part, version, warnings) for part in each))
    if not isinstance(value, (Stamped, Warned)):
        return value
    fields = {name: getattr(value, name) for name in type(value).model_fields}
    update: dict[str, object] = {
        name: stamped(part, version) for name, part in fields.items() if isinstance(part, Stamped)
    }
    if isinstance(value, Stamped):
        update["policy_version"] = version
    if isinstance(value, Warned):
        update["warnings"] = tuple(dict.fromkeys((*value.warnings, *warnings)))
    return cast("T", value.model_copy(update=update))
