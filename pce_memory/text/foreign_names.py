"""Find what passwords and tokens are called in other scripts and languages."""

import re
from collections.abc import Iterator
from typing import Final

from pce_memory.text.secret_names import Claim

_PASSWORDS: Final = (
    "密码", "密碼", "口令", "비밀번호", "비번", "암호", "ароль", "ontrase", "asło", "ösenord",
    "ifre", "khẩu",
)  # fmt: skip
_TOKENS: Final = (
    "トークン", "シークレット", "キー", "鍵", "密钥", "密鑰", "令牌", "토큰", "키",
)  # fmt: skip
FOREIGN_HINTS: Final = (*_PASSWORDS, *_TOKENS)
"""A text without any of these has no such name."""

_PASSWORD: Final = re.compile(
    "密码|密碼|口令|비밀번호|비번|암호|пароль|contraseña|hasło|lösenord|şifre|mật khẩu",
    re.IGNORECASE,
)
_TOKEN: Final = re.compile(
    "トークン|シークレット|(?:API|アクセス|シークレット|認証|秘密|暗号化|ライセンス) ?(?:キー|鍵)"
    "|密钥|密鑰|令牌|토큰|(?:API|액세스|비밀) ?키",
    re.IGNORECASE,
)


def foreign_names(text: str) -> Iterator[tuple[int, int, Claim]]:
    """Find them, and what each claims.

    >>> list(foreign_names("APIキー"))
    [(0, 5, <Claim.TOKEN: 2>)]
    """
    if text.isascii():
        return
    for hints, pattern, claim in (
        (_PASSWORDS, _PASSWORD, Claim.PASSWORD),
        (_TOKENS, _TOKEN, Claim.TOKEN),
    ):
        if any(hint in text for hint in hints):
            for name in pattern.finditer(text):
                yield *name.span(), claim
