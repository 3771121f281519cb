"""What a rule says of one claim: true, false, or failed, which is neither.

The logic is Kleene's: `true || failed` is true, `false && failed` is false, `!failed` is failed.
"""

from collections.abc import Iterable, Mapping

from pce_memory.policy.rule_tree import (
    Comparison,
    Conjunction,
    Constant,
    Disjunction,
    Expression,
    Identifier,
    Lack,
    Negation,
    Operator,
    Value,
)


def evaluate(expression: Expression, environment: Mapping[str, Value]) -> Value | Lack:
    """Return what an expression is worth; total for every tree and every environment.

    >>> evaluate(Comparison("<", Identifier("x"), Constant(1.0)), {})
    <Lack.FAILED: 'failed'>
    """
    match expression:
        case Constant(value):
            return value
        case Identifier(path):
            return environment.get(path, Lack.UNDEFINED)
        case Negation(operand):
            return negate(evaluate(operand, environment))
        case Conjunction(operands):
            return conjoin(evaluate(operand, environment) for operand in operands)
        case Disjunction(operands):
            return disjoin(evaluate(operand, environment) for operand in operands)
        case Comparison(operator, left, right):
            return compare(operator, evaluate(left, environment), evaluate(right, environment))


def holds(expression: Expression, environment: Mapping[str, Value]) -> bool:
    """Return whether a rule holds: only where it is true; false, failed and no truth deny."""
    return evaluate(expression, environment) is True


def truth(value: Value | Lack) -> bool | Lack:
    """Return a value as a truth: undefined is false, and what is no truth is failed.

    >>> truth("yes")
    <Lack.FAILED: 'failed'>
    """
    if value is Lack.UNDEFINED:
        return False
    return value if isinstance(value, bool) else Lack.FAILED


def negate(value: Value | Lack) -> bool | Lack:
    """Return the opposite truth."""
    known = truth(value)
    return known if isinstance(known, Lack) else not known


def conjoin(values: Iterable[Value | Lack]) -> bool | Lack:
    """Return false if any is false, else failed if any failed, else true."""
    truths = {truth(value) for value in values}
    if False in truths:
        return False
    return Lack.FAILED if Lack.FAILED in truths else True


def disjoin(values: Iterable[Value | Lack]) -> bool | Lack:
    """Return true if any is true, else failed if any failed, else false."""
    return negate(conjoin(negate(value) for value in values))


def compare(operator: Operator, left: Value | Lack, right: Value | Lack) -> bool | Lack:
    """Return what a comparison is worth.

    >>> compare("==", True, 1.0), compare("==", False, Lack.UNDEFINED)
    (False, True)
    >>> compare("in", "a", ("a", "b")), compare("notin", ("a", "c"), ("a", "b"))
    (True, False)
    """
    if left is Lack.FAILED or right is Lack.FAILED:
        return Lack.FAILED
    match operator:
        case "==":
            return same(left, right)
        case "!=":
            return not same(left, right)
        case "in" | "notin":
            return _member(operator, left, right)
        case _:
            return _ordered(operator, left, right)


def same(left: Value | Lack, right: Value | Lack) -> bool:
    """Return whether two values are equal; values of two types never are.

    >>> same(True, 1.0), same(("a", 1.0), ("a", 1.0)), same(0.0, -0.0)
    (False, True, True)
    """
    one, other = (False if value is Lack.UNDEFINED else value for value in (left, right))
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


def _member(operator: Operator, left: Value | Lack, right: Value | Lack) -> bool | Lack:
    """All of a list are `in`, none of them is `notin`; a name without a value is an empty list."""
    if right is Lack.UNDEFINED:
        right = ()
    if not isinstance(right, tuple):
        return Lack.FAILED
    items = left if isinstance(left, tuple) else (left,)
    inside = [any(same(item, other) for other in right) for item in items]
    return all(inside) if operator == "in" else not any(inside)


def _ordered(operator: Operator, left: Value | Lack, right: Value | Lack) -> bool | Lack:
    if not isinstance(left, float) or not isinstance(right, float):
        return Lack.FAILED
    match operator:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case _:
            return left >= right
