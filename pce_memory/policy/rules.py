"""The language of invariants: a rule's text becomes a tree, or a fault with its column.

or      := and ("||" and)*
and     := not ("&&" not)*
not     := "!" not | cmp
cmp     := prim (op prim)?          op: == != > >= < <= in notin
prim    := literal | name | "(" or ")" | "[" literal, … "]"
"""

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Final, get_args

from returns.result import Failure, Result, Success

from pce_memory.policy.rule_tree import (
    COLUMNS,
    RESERVED,
    Atom,
    Comparison,
    Conjunction,
    Constant,
    Disjunction,
    Expression,
    Identifier,
    Negation,
    Operator,
)

MAX_CHARS: Final = 1_000
MAX_DEPTH: Final = 32

_TOKEN: Final = re.compile(
    r"""(?P<space>[ \t\r\n]+)
    |(?P<number>-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![A-Za-z0-9_.]))
    |(?P<text>"[^"]*"|'[^']*')
    |(?P<word>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)
    |(?P<mark>==|!=|>=|<=|&&|\|\||[<>!()\[\],])""",
    re.VERBOSE,
)
_OPERATORS: Final[dict[str, Operator]] = {name: name for name in get_args(Operator)}
_INSTEAD: Final = {"and": "&&", "or": "||", "not": "!", "True": "true", "False": "false"}


@dataclass(frozen=True, slots=True)
class RuleFault:
    """What is wrong with a rule, and at which column of it, from 1."""

    column: int
    message: str


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a rule; `kind` is number, text, word, mark or end."""

    kind: str
    text: str
    column: int


@lru_cache(maxsize=1024)
def parse_rule(rule: str) -> Result[Expression, RuleFault]:
    """Return the tree of a rule.

    >>> parse_rule("prompt.contains_pii = false").failure()
    RuleFault(column=21, message='write == to compare')
    """
    if len(rule) > MAX_CHARS:
        return Failure(RuleFault(1, f"a rule has at most {MAX_CHARS} characters"))
    return Result.do(
        expression for tokens in tokenize(rule) for expression in _Parser(tokens).whole()
    )


def tokenize(rule: str) -> Result[tuple[Token, ...], RuleFault]:
    """Return the pieces of a rule, closed by an end.

    >>> [token.text for token in tokenize("a.b >= -1").unwrap()]
    ['a.b', '>=', '-1', '']
    """
    tokens: list[Token] = []
    at = 0
    while at < len(rule):
        match = _TOKEN.match(rule, at)
        if match is None:
            return Failure(RuleFault(at + 1, _unreadable(rule[at:])))
        if match.lastgroup != "space":
            tokens.append(Token(str(match.lastgroup), match.group(), at + 1))
        at = match.end()
    return Success((*tokens, Token("end", "", len(rule) + 1)))


def _unreadable(rest: str) -> str:
    match rest[0]:
        case "=":
            return "write == to compare"
        case "&" | "|":
            return f"write {rest[0] * 2}"
        case '"' | "'":
            return "this text has no closing quote"
        case digit if digit.isdigit() or digit == "-":
            return "this is no number; write it as 12 or 0.5"
        case _:
            return "this character has no meaning in a rule"


class _Parser:
    """One pass over the tokens; the first fault ends it, as later ones would follow from it."""

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._fault: RuleFault | None = None

    def whole(self) -> Result[Expression, RuleFault]:
        """Return the tree of all tokens."""
        expression = self._or()
        if self._next.kind != "end":
            expression = self._fail(self._surplus(self._next))
        return Failure(self._fault) if self._fault else Success(expression)

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._next
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _took(self, mark: str) -> bool:
        if self._next.kind == "mark" and self._next.text == mark:
            self._at += 1
            return True
        return False

    def _fail(self, message: str) -> Expression:
        self._fault = self._fault or RuleFault(self._next.column, message)
        self._at = len(self._tokens) - 1
        return Constant(value=False)

    def _or(self) -> Expression:
        operands = [self._and()]
        while self._took("||"):
            operands.append(self._and())
        return operands[0] if len(operands) == 1 else Disjunction(tuple(operands))

    def _and(self) -> Expression:
        operands = [self._not()]
        while self._took("&&"):
            operands.append(self._not())
        return operands[0] if len(operands) == 1 else Conjunction(tuple(operands))

    def _not(self) -> Expression:
        if self._next.text != "!":
            return self._comparison()
        if self._depth >= MAX_DEPTH:
            return self._too_deep()
        _ = self._take()
        self._depth += 1
        operand = self._not()
        self._depth -= 1
        return Negation(operand)

    def _comparison(self) -> Expression:
        left = self._primary()
        operator = _OPERATORS.get(self._next.text)
        if operator is None:
            return left
        _ = self._take()
        right = self._primary()
        if self._next.text in _OPERATORS:
            return self._fail("a comparison has two sides; join two with && or use parentheses")
        return Comparison(operator, left, right)

    def _primary(self) -> Expression:
        if self._next.text == "(":
            return self._group()
        if self._took("["):
            return self._list()
        token = self._next
        if token.kind in {"number", "text"} or token.text in {"true", "false"}:
            return Constant(self._literal())
        if token.kind == "word" and token.text not in _OPERATORS:
            return self._name(token.text)
        return self._fail("a name, a value or a parenthesis is missing here")

    def _group(self) -> Expression:
        if self._depth >= MAX_DEPTH:
            return self._too_deep()
        _ = self._take()
        self._depth += 1
        inner = self._or()
        self._depth -= 1
        return (
            inner if self._took(")") else self._fail(self._surplus(self._next, "a ) is missing"))
        )

    def _list(self) -> Expression:
        items: list[Atom] = []
        while not self._took("]"):
            if items and not self._took(","):
                return self._fail("a , or ] is missing in this list")
            if not self._is_literal():
                return self._fail("a list holds numbers, quoted texts, true and false")
            items.append(self._literal())
        return Constant(tuple(items))

    def _is_literal(self) -> bool:
        return self._next.kind in {"number", "text"} or self._next.text in {"true", "false"}

    def _literal(self) -> Atom:
        token = self._next
        number = float(token.text) if token.kind == "number" else 0.0
        if abs(number) == float("inf"):
            return bool(self._fail("this number is too large"))
        _ = self._take()
        if token.kind == "number":
            return number
        return token.text[1:-1] if token.kind == "text" else token.text == "true"

    def _name(self, path: str) -> Expression:
        if path in _INSTEAD:
            return self._fail(f"write {_INSTEAD[path]} instead of '{path}'")
        if path.startswith(RESERVED) and path not in COLUMNS:
            near = get_close_matches(path, COLUMNS, n=1)
            return self._fail(
                f"unknown name '{path}'" + (f"; did you mean '{near[0]}'?" if near else "")
            )
        _ = self._take()
        return Identifier(path)

    def _surplus(self, token: Token, otherwise: str = "an operator is missing before this") -> str:
        if token.text in _INSTEAD:
            return f"write {_INSTEAD[token.text]} instead of '{token.text}'"
        return otherwise

    def _too_deep(self) -> Expression:
        return self._fail(f"parentheses and ! go at most {MAX_DEPTH} deep")
