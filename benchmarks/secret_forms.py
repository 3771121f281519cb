"""Samples of documented tokens in the syntaxes that assign one, made up at run time from a seed.

A sample is drawn from the table of token formats; no token is stored. With the table the recall is
that of a vendor who is known, without it that of a vendor nobody told the detectors of.
"""

import string
from collections.abc import Iterator, Mapping
from random import Random
from typing import Final, NamedTuple

from benchmarks.secret_tokens import ALNUM, BASE64, HEX, UPPER, WORD, draw
from pce_memory.text.token_forms import token_formats, token_parts

_CHARS: Final[Mapping[str, str]] = {
    "digit": string.digits,
    "hex": HEX,
    "upper": UPPER,
    "lower": string.ascii_lowercase + string.digits,
    "label": string.ascii_lowercase,
    "alnum": ALNUM,
    "word": WORD,
    "base64": BASE64,
    "twitter": ALNUM,
    "typeform": WORD,
}
_EXTRA: Final = 8

# {c} dbPass, {u} DB_PASS, {s} db_pass, {k} db-pass, {v} the value, {n} the vendor.
FORMS: Final[Mapping[str, str]] = {
    "camel": '{c}Token = "{v}"',
    "camel single": "{c}Key = '{v}'",
    "const": 'const {c}Secret = "{v}";',
    "go": '{c}Token := "{v}"',
    "go var": 'var {c}Token string = "{v}"',
    "go const": "{c}Token := `{v}`",
    "java": 'String {c}Token = "{v}";',
    "c#": 'private readonly string {c}ApiKey = @"{v}";',
    "set": 'System.setProperty("{u}_TOKEN", "{v}")',
    "getenv": 'os.environ.get("{u}_API_KEY", "{v}")',
    "setdefault": 'os.environ["{u}_TOKEN"] = "{v}"',
    "php": "${s}_token = '{v}';",
    "php array": "'{s}_secret' => '{v}',",
    "php append": '${c}Token .= "{v}"',
    "define": "define('{u}_TOKEN', '{v}');",
    "ruby": ":{s}_token => '{v}'",
    "ruby or": "{s}_token ||= '{v}'",
    "make": "{u}_TOKEN ?= {v}",
    "make quoted": '{u}_TOKEN ?= "{v}"',
    "make ::=": '{u}_TOKEN ::= "{v}"',
    "make :::=": '{u}_TOKEN :::= "{v}"',
    "make +=": '{u}_TOKEN += "{v}"',
    "env": "{u}_TOKEN={v}",
    "export": "export {u}_API_KEY='{v}'",
    "dockerfile": "ENV {u}_TOKEN {v}",
    "dockerfile =": "ARG {u}_SECRET={v}",
    "powershell": '$env:{u}_TOKEN = "{v}"',
    "cmd": "set {u}_TOKEN={v}",
    "flag": "tool --{k}-token={v} --verbose",
    "flag space": "tool --api-key {v} run",
    "-D": "java -D{s}.token={v} -jar app.jar",
    "json": '{{"{c}Token": "{v}"}}',
    "json snake": '"{s}_api_key" : "{v}",',
    "json escaped": '{{\\"{c}Token\\":\\"{v}\\"}}',
    "json pair": '{{"name": "{u}_TOKEN", "value": "{v}"}}',
    "yaml": "{s}_token: {v}",
    "yaml quoted": '{c}Secret: "{v}"',
    "yaml pair": "- name: {u}_TOKEN\n  value: {v}",
    "yaml block": "{s}_token: |\n  {v}\n",
    "yaml folded": "{s}_token: >-\n  {v}\n",
    "toml": '[{s}]\napi_token = "{v}"\n',
    "ini": "[{s}]\nsecret_key = {v}\n",
    "properties": "{s}.api.token={v}",
    "xml": "<{c}Token>{v}</{c}Token>",
    "xml lines": "<{c}Token>\n    {v}\n</{c}Token>",
    "xml attribute": '<add key="{u}_TOKEN" value="{v}" />',
    "xml property": '<property name="{c}Token">{v}</property>',
    "plist": "<key>{c}ApiKey</key>\n\t<string>{v}</string>",
    "android": '<string name="{s}_api_key">{v}</string>',
    "terraform": 'variable "{s}_token" {{\n  type    = string\n  default = "{v}"\n}}',
    "hcl": '{s}_token = "{v}"',
    "rust": 'let {s}_token: &str = "{v}";',
    "typescript": 'const {c}Token: string = "{v}";',
    "python type": '{u}_TOKEN: str = "{v}"',
    "python call": 'client = Client(api_token="{v}", timeout=3)',
    "swift": 'static let {c}ApiKey = "{v}"',
    "kotlin": 'val {c}Token = "{v}"',
    "header": "X-{n}-Token: {v}",
    "bearer": "Authorization: Bearer {v}",
    "curl header": "curl -H 'X-Api-Key: {v}' https://api.example.com",
    "curl user": "curl -u me:{v} https://api.example.com",
    "query": "https://api.example.com/v1?api_key={v}&page=2",
    "url": "https://me:{v}@example.com/repo.git",
    "netrc": "machine api.example.com\n  login me\n  password {v}\n",
    "npmrc": "//registry.example.com/:_authToken={v}",
    "table": "| {n} api token | {v} |",
    "comment": "// {n} token: {v}",
    "compare": 'if ({c}Token == "{v}") {{',
    "is": "my {n} API key is {v}",
    "here": "Here is the {n} token for CI: {v}",
    "log": 'time=1 level=info {s}_token="{v}" msg=ok',
    "ja": "{n}のトークンは{v}です",
    "ja key": "APIキー：{v}",
}
BARE: Final[Mapping[str, str]] = {
    "bare": "please try {v} and tell me",
    "bare named": "I pasted {v} as the {n} credential",
    "bare ja": "これを使って {v} お願いします",
}


class Sample(NamedTuple):
    """A text with a token of a vendor in a form."""

    vendor: str
    form: str
    text: str
    token: str


def token_of(form: str, rng: Random) -> str:
    """Return a token drawn from a form of the table."""
    parts: list[str] = []
    for literal, alphabet, least, most in token_parts(form):
        if literal:
            parts.append(literal)
        elif alphabet == "uuid":
            body = draw(rng, HEX, 32)
            parts.append(f"{body[:8]}-{body[8:12]}-{body[12:16]}-{body[16:20]}-{body[20:]}")
        else:
            length = rng.randint(least, min(most, least + _EXTRA))
            parts.append(draw(rng, _CHARS[alphabet], length))
    return "".join(parts)


def samples(*, seed: int = 1, bare: bool = False) -> Iterator[Sample]:
    """Yield a sample of each format in some of the forms, all forms in turn."""
    rng = Random(seed)
    forms = BARE if bare else FORMS
    for row in token_formats():
        names = _names(row.vendor)
        for name in rng.sample(sorted(forms), min(len(forms), 12)):
            token = token_of(row.form, rng)
            yield Sample(row.vendor, name, forms[name].format(v=token, **names), token)


def _names(vendor: str) -> dict[str, str]:
    words = "".join(char if char.isalnum() else " " for char in vendor).split()
    words[0] = words[0] if words[0][0].isalpha() else f"x{words[0]}"
    lowered = [word.lower() for word in words]
    return {
        "n": words[0],
        "c": lowered[0] + "".join(map(str.capitalize, lowered[1:])),
        "u": "_".join(lowered).upper(),
        "s": "_".join(lowered),
        "k": "-".join(lowered),
    }
