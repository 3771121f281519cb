"""Tell what stands in a document or program where a secret will be: `<TOKEN>`, `${VAR}`, `xxxx`.

A whole value has to be one: a password may begin with a dollar sign or a brace.
"""

import re
from typing import Final

from pce_memory.text.likeness import is_common_word
from pce_memory.text.randomness import surprises

_BRACKETS: Final = ("{", "}", "[", "]", "<", ">")
# What was drawn at random is no name of a value, though it stands in brackets.
_NAMES: Final = 3

_WHOLE: Final = re.compile(
    r"""
      \$\{?[\w.:-]+\}? | \$\(.*\)? | %[\w.-]+%? | @\w+@ | @[\w./~-]+\.[a-z]{2,5}
        | <[^<>]*>? | \[[^\[\]]*\]?
    | \$?\{\{[^{}]*\}\} | \{\{[\w .$|"]* | \#\{[^{}]*\}? | \{[\w.: -]*\} | &\w+ | \*\w+
    | !(?:vault|secret|env|ref|sub|GetAtt|Ref|Sub)\b.*
    | (?P<sign>.)(?P=sign)* | [*•.x#_-]+ | [xX*.•]{3,}.*
    | .*[xX]{6,}.* | .*\*{3,}.* | .*\.{3,}.* | .*\$\{\w[\w.:?+=@/ -]*(?:\}.*)?
    # Of what begins with `my` only a short one: somebody may call a secret so.
    | my[_.\ -](?:[a-z]++[_.\ -]?+){1,2}\d{0,3}
    | (?: (?:the|some|new|old|an?|any|put|add|fill)[_.\ -]
        | (?:your|insert|enter|replace|change|example|sample|dummy|fake|mock|test|demo|default
          |placeholder|redacted|removed|hidden|secret|token|password)[_.\ -]?
      ) (?:[a-z]++[_.\ -]?+)*+\d{0,3}
    | (?:change|replace|fix|set|update)[_-]?(?:it|me|this|in)?[_-]?\d{0,4}!?
    | \#[0-9a-f]{3,8} | \\.*
    | todo.* | tbd | n/?a | null | none | nil | true | false | undefined | yes | no
    | .*(?:placeholder|redacted|changeme|change[_-]me|your[_-]|[_-]here$|example$|\benv\b).*
    | (?:os|process|self|this|env|config|settings|secrets?|args|request|req|data|user|var|local
        |module|vault|ssm|aws|kms)(?:\.|::|\[).*
    | (?:https?|file|arn|s3|vault|ssm|jar|data|urn|op|gs|ref|jdbc)(?:://|:).*
    | [a-z]:\\.* | [.~]{0,2}/[\w./ -]*
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


def stands_for_a_value(value: str) -> bool:
    """Tell whether a value only stands for one.

    >>> [stands_for_a_value(value) for value in ("${PW}", "<TOKEN>", "xxxxxxxx", "changeme1")]
    [True, True, True, True]
    >>> stands_for_a_value("$tr0ng!Pa5s"), stands_for_a_value("{k9$}zQ2pLw")
    (False, False)
    """
    if value[:1] in _BRACKETS and value[-1:] in _BRACKETS and surprises(value) > _NAMES:
        return False
    # `%ACME%` read as an escape has a character in it that stands for none.
    return "\ufffd" in value or is_common_word(value) or _WHOLE.fullmatch(value) is not None
