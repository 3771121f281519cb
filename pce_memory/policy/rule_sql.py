"""A rule as a predicate over the columns of claims, which says what `rule_values` says.

The values of the caller's context are known here, so every part that speaks of no column is
worked out at once, and the types of the rest are known: what the evaluator calls failed is NULL.
No text of a rule or of a context stands in the SQL; numbers and strings are parameters.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from pce_memory.deps import RowFilter
from pce_memory.domain.vocabulary import SCOPES, Scope
from pce_memory.policy.rule_tree import (
    COLUMNS,
    Atom,
    Comparison,
    Conjunction,
    Constant,
    Disjunction,
    Expression,
    Identifier,
    Kind,
    Lack,
    Negation,
    Operator,
    Value,
)
from pce_memory.policy.rule_values import compare, conjoin, disjoin, negate, truth

_SQL_TYPE: Final[dict[Kind, str]] = {"boolean": "boolean", "number": "double", "text": "varchar"}
_SQL_OPERATOR: Final[dict[Operator, str]] = {"==": "=", "!=": "<>", "in": "in", "notin": "not in"}
_FAILED: Final = "null::boolean"


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a rule that speaks of a column. `total` where it is never NULL."""

    kind: Kind
    sql: str
    total: bool


@dataclass(frozen=True, slots=True)
class _Binder:
    """Gives every bound value a parameter of its own."""

    prefix: str
    params: dict[str, float | str] = field(default_factory=dict)

    def literal(self, value: Atom) -> str:
        """Return the SQL of a value: true, false, or a parameter."""
        if isinstance(value, bool):
            return "true" if value else "false"
        name = f"{self.prefix}_{len(self.params)}"
        self.params[name] = value
        return f"${name}::{'double' if isinstance(value, float) else 'varchar'}"


def to_sql(expression: Expression, context: Mapping[str, Value], prefix: str) -> RowFilter:
    """Return the rule over columns kind, scope, quality, …: true where it holds, else false.

    >>> to_sql(Comparison("==", Identifier("claim.kind"), Constant("task")), {}, "p")
    RowFilter(sql='coalesce((kind::varchar = $p_0::varchar), false)', params={'p_0': 'task'})
    """
    binder = _Binder(prefix)
    part = _part(expression, context, binder)
    if not isinstance(part, Term):
        return RowFilter("true" if truth(part) is True else "false", {})
    if part.kind != "boolean":
        return RowFilter("false", {})
    used = {name: value for name, value in binder.params.items() if f"${name}::" in part.sql}
    return RowFilter(f"coalesce({part.sql}, false)", used)


def over_scopes(rule: RowFilter, scopes: tuple[Scope, ...]) -> RowFilter:
    """Return the predicate that asks for the rule in the given scopes only."""
    if set(scopes) == set(SCOPES) or rule.sql == "true":
        return rule
    names = ", ".join(f"'{scope}'" for scope in SCOPES if scope in scopes)
    return RowFilter(f"(scope::varchar not in ({names}) or {rule.sql})", rule.params)


def every(filters: Iterable[RowFilter]) -> RowFilter:
    """Return the predicate that asks for all of them; of none it is true."""
    needed = [rule for rule in filters if rule.sql != "true"]
    params = {name: value for rule in needed for name, value in rule.params.items()}
    return RowFilter(" and ".join(rule.sql for rule in needed) or "true", params)


Part: TypeAlias = Value | Lack | Term


def _part(expression: Expression, context: Mapping[str, Value], binder: _Binder) -> Part:
    match expression:
        case Constant(value):
            return value
        case Identifier(path):
            return _named(path, context)
        case Negation(operand):
            return _negated(_truth(_part(operand, context, binder)))
        case Conjunction(operands):
            return _joined("and", [_part(operand, context, binder) for operand in operands])
        case Disjunction(operands):
            return _joined("or", [_part(operand, context, binder) for operand in operands])
        case Comparison(operator, left, right):
            one, other = (_part(side, context, binder) for side in (left, right))
            return _compared(operator, one, other, binder)


def _named(path: str, context: Mapping[str, Value]) -> Part:
    given = context.get(path, Lack.UNDEFINED)
    if path not in COLUMNS or given is True:
        return given
    column = COLUMNS[path]
    return Term(column.kind, f"{column.name}::{_SQL_TYPE[column.kind]}", total=True)


def _truth(part: Part) -> bool | Lack | Term:
    if isinstance(part, Term):
        return part if part.kind == "boolean" else Lack.FAILED
    return truth(part)


def _negated(part: Part) -> bool | Lack | Term:
    if isinstance(part, Term):
        return Term("boolean", f"(not {part.sql})", part.total)
    return negate(part)


def _joined(word: str, parts: list[Part]) -> bool | Lack | Term:
    """Join truths by `and` or `or`, which are Kleene's in SQL too."""
    truths = [_truth(part) for part in parts]
    terms = [part for part in truths if isinstance(part, Term)]
    known = [part for part in truths if not isinstance(part, Term)]
    settled = conjoin(known) if word == "and" else disjoin(known)
    if not terms or settled is (word == "or"):
        return settled
    pieces = [term.sql for term in terms] + [_FAILED] * (settled is Lack.FAILED)
    total = settled is not Lack.FAILED and all(term.total for term in terms)
    return Term("boolean", f"({f' {word} '.join(pieces)})", total)


def _compared(operator: Operator, left: Part, right: Part, binder: _Binder) -> Part:
    if not isinstance(left, Term) and not isinstance(right, Term):
        return compare(operator, left, right)
    if left is Lack.FAILED or right is Lack.FAILED:
        return Lack.FAILED
    one, other = (False if part is Lack.UNDEFINED else part for part in (left, right))
    match operator:
        case "==" | "!=":
            return _equal(operator, one, other, binder)
        case "in" | "notin":
            return _member(operator, left, () if right is Lack.UNDEFINED else right, binder)
        case _:
            return _ordered(operator, left, right, binder)


def _equal(operator: Operator, left: Part, right: Part, binder: _Binder) -> Part:
    if _kind(left) != _kind(right):
        return _unless_failed(operator == "!=", left, right)
    return _infix(left, _SQL_OPERATOR[operator], right, binder)


def _member(operator: Operator, left: Part, right: Part, binder: _Binder) -> Part:
    if not isinstance(right, tuple) or not isinstance(left, Term):
        return Lack.FAILED
    items = dict.fromkeys(item for item in right if _kind(item) == left.kind)
    if not items:
        return _unless_failed(operator == "notin", left)
    names = ", ".join(binder.literal(item) for item in items)
    return Term("boolean", f"({left.sql} {_SQL_OPERATOR[operator]} ({names}))", left.total)


def _ordered(operator: Operator, left: Part, right: Part, binder: _Binder) -> Part:
    if _kind(left) != "number" or _kind(right) != "number":
        return Lack.FAILED
    return _infix(left, operator, right, binder)


def _infix(left: Part, sign: str, right: Part, binder: _Binder) -> Term:
    """Join two sides of one kind; neither is a list, as no column is one."""
    sides = [
        side.sql if isinstance(side, Term) else binder.literal(side)
        for side in (left, right)
        if isinstance(side, Term | bool | float | str)
    ]
    total = all(side.total for side in (left, right) if isinstance(side, Term))
    return Term("boolean", f"({f' {sign} '.join(sides)})", total)


def _unless_failed(answer: bool, *parts: Part) -> bool | Term:  # noqa: FBT001 - a value
    """Return the answer two types always give, or failed where a side of it is."""
    doubtful = [part.sql for part in parts if isinstance(part, Term) and not part.total]
    if not doubtful:
        return answer
    failed = " or ".join(f"{sql} is null" for sql in doubtful)
    known = "true" if answer else "false"
    return Term("boolean", f"(case when {failed} then null else {known} end)", total=False)


def _kind(part: Part) -> Kind | None:
    match part:
        case Term():
            return part.kind
        case bool():
            return "boolean"
        case float():
            return "number"
        case str():
            return "text"
        case _:
            return None
