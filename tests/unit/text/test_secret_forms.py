"""Secrets by the parts of a name, by file, by command and bare: what is found, what is left."""

import csv
from importlib.resources import files
from random import Random

import pytest

from benchmarks import redaction
from benchmarks.secret_forms import samples, token_of
from pce_memory.text.detect import SECRET_KINDS, detect
from pce_memory.text.fold import fold
from pce_memory.text.secrets import SECRETS, may_hold_a_secret
from pce_memory.text.token_forms import table_tokens, token_formats, token_parts

DRAWN = "a8Kd02mQ9" + "sLp7Xw3Zt5Rb1Nc"
HEX = "a8f5f167f44f4964" + "e6c998dee827110c"
UUID = "5eb4223e-5008-46e5-" + "be67-c7b8f2732305"
BASE64 = "UyFCXCpk" + "JHpEc2I9"


def found(text: str) -> list[str]:
    return [text[start:end] for _, start, end in detect(text, SECRET_KINDS)]


ASSIGNED = [
    (f'githubToken = "{DRAWN}"', DRAWN),
    (f"X_TOKEN ?= {DRAWN}", DRAWN),
    (f'X_TOKEN :::= "{DRAWN}"', DRAWN),
    (f'setProperty("X_TOKEN", "{DRAWN}")', DRAWN),
    (f'GetEnvOrDefault("api_token", "{UUID}")', UUID),
    (f"<xToken>\n    {DRAWN}\n</xToken>", DRAWN),
    (f"<key>xApiKey</key>\n<string>{DRAWN}</string>", DRAWN),
    (f'<property name="xToken">{DRAWN}</property>', DRAWN),
    (f'{{"name": "X_TOKEN", "value": "{DRAWN}"}}', DRAWN),
    (f"- name: X_TOKEN\n  value: {DRAWN}", DRAWN),
    (f"x_token: >-\n  {DRAWN}\n", DRAWN),
    (f'variable "x_token" {{\n  type = string\n  default = "{DRAWN}"\n}}', DRAWN),
    (f"ENV X_TOKEN {DRAWN}", DRAWN),
    (f"$x_token = '{DRAWN}';", DRAWN),
    (f":x_token => '{DRAWN}'", DRAWN),
    ("dbPass = 'Tr0ub4dor&3'", "Tr0ub4dor&3"),
    (f"privateKey: '{DRAWN}'", DRAWN),
    ("licenseKey: 7J9K-22LM-QP8X-ZZ41-BN6T", "7J9K-22LM-QP8X-ZZ41-BN6T"),
    ("auth = 'dXNlcjpwYXNzd29yZDEyMw=='", "dXNlcjpwYXNzd29yZDEyMw=="),
    (f'"credentials" : "{HEX}"', HEX),
    (f"trello = '{HEX}'", HEX),
    (f'client.setApiKey("{DRAWN}")', DRAWN),
    ('dbPass = "swordfish"', "swordfish"),
    ('"my_secret": "opensesameopensesame"', "opensesameopensesame"),
    ("contraseña: tigre88rojo", "tigre88rojo"),
    ("密码：hunter22x", "hunter22x"),
    (f"APIキー：{DRAWN}", DRAWN),
    (f"Trelloのトークンは{DRAWN}です", DRAWN),
    ('theapikey: "h}o)p${e]nob(ody[fin>-_$#that}}"', "h}o)p${e]nob(ody[fin>-_$#that}}"),
]
FILES = [
    (f"kind: Secret\ndata:\n  password: {BASE64}\n", BASE64),
    (f"apiVersion: v1\ndata:\n\tpassword: '{BASE64}'\nkind: 'Secret'\n", BASE64),
    (f'{{"kind": "Secret", "data": {{"pw": "{BASE64}"}}}}', BASE64),
    (f"kind: Secret\ndata:\n  .dockercfg: |\n    {BASE64}{BASE64}\n", BASE64 * 2),
    ("kind: Secret\nstringData:\n  pw: hunter2hunter\n", "hunter2hunter"),
    ('{"auths":{"https://x/v1/":{"auth":"bWU6aHVudGVyMg=="}}}', "bWU6aHVudGVyMg=="),
    ("machine x.example login me password h0pk1ns\n", "h0pk1ns"),
    ("BUNDLE_GEMS__EXAMPLE__COM=cafebabe:deadbeef", "cafebabe:deadbeef"),
    ("Server=db;User Id=sa;Password=Sup3r$ecret;", "Sup3r$ecret"),
    ("curl -u me:h0pk1ns https://x.example", "h0pk1ns"),
    ("curl --user 'johns:h0pk1ns~21s' $URL", "h0pk1ns~21s"),
    ("curl -X POST https://x \\\n  -d 'w' \\\n  -u dev:yqDVtkqPECri", "yqDVtkqPECri"),
    ('curl -u ":d2LkV78zLx!t" https://x', "d2LkV78zLx!t"),
    (f"curl -H 'Authorization:  {UUID}'", UUID),
    (f'-H "X-Octopus-ApiKey: {UUID}"', UUID),
    (f"https://acme.hooks.example/in/{DRAWN}{DRAWN}", DRAWN),
]
BARE = [
    (
        "use eyJhbGciOiJub25lIn0." + "eyJzdWIiOiJib2IiLCJhZG1pbiI6dHJ1ZX0 now",
        "eyJhbGciOiJub25lIn0",
    ),
    (f"please try acme_{DRAWN} and tell me", f"acme_{DRAWN}"),
    (f"I pasted {DRAWN} as the Acme token", DRAWN),
    (f"the token that works is, I think, {DRAWN}.", DRAWN),
    (f"これを使って acme-pat_{DRAWN} お願いします", f"acme-pat_{DRAWN}"),
    (f"api-{UUID} 使って", f"api-{UUID}"),
]


@pytest.mark.parametrize(("text", "secret"), [*ASSIGNED, *FILES, *BARE])
def test_the_secret_is_found(text: str, secret: str) -> None:
    assert any(secret in part for part in found(text)), found(text)


LEFT_ALONE = [
    "API_KEY=xxxxxxxxxxxxxxxx", "TOKEN=<TOKEN>", "token: ${TOKEN}", "password=changeme", "token: {{ vault_token }}",
    "GITHUB_API_KEY=\nDYNATRACE_API_KEY=", f'publicToken = "{DRAWN}{DRAWN}"', f"credentialsId: '{UUID}'",
    f'clientId = "{UUID}"', 'keyStr = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop0123456789"', "apiUrl=api.example.com",
    f"commit {HEX}aa", f"chatcmpl-{DRAWN}", f"req_{DRAWN}", f"https://example.com/{DRAWN}", "IceSSL.KeyFile=s_rsa1024.pem",
    "key_length = XSalsa20.key_length", "keyPressed = kVK_Return.u16", "curl -u 'test:test'", 'curl -u "$1:$2" x',
    "curl -u <user:password> https://x", 'curl --user "{{ $.Values.username }}:{{ $.Values.password }}"',
    "kind: Secret\ndata:\n  extra: YmFyCg==\n", "kind: Secret\ndata:\n  pw: {{ .Values.pw }}\n",
    "kind: ExternalSecret\nspec:\n  data:\n    - key: MySecretManagerKey\n", f"kind: ConfigMap\ndata:\n  x: {BASE64}\n",
    "postgres://user:${PASSWORD}@db/x", "the api of the compass", "トークンの有効期限は2025-12-18", 'MY_SECRET_NAME = "prod-db-2"',
]  # fmt: skip


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_is_no_secret_is_left_alone(text: str) -> None:
    assert found(text) == []


def test_every_format_of_the_table_is_found_in_prose() -> None:
    rng = Random(7)
    missed = [
        row
        for row in token_formats()
        if not list(table_tokens(f"so {token_of(row.form, rng)} it"))
        and not list(table_tokens(f"so {token_of(row.form, rng)} it"))
    ]
    assert missed == []


def test_the_table_has_a_source_for_each_form_and_no_form_twice() -> None:
    text = (files("pce_memory.text") / "token_formats.csv").read_text("utf-8")
    rows = list(csv.reader(text.splitlines()))
    assert rows[0] == ["vendor", "form", "source"]
    assert all(len(row) == 3 and all(row) for row in rows)
    assert len({row[1] for row in rows}) == len(rows)
    assert rows[1:] == sorted(rows[1:], key=lambda row: row[0].casefold())
    # Nothing in the table is a token itself.
    assert all(any(part[1] for part in token_parts(row[1])) for row in rows[1:])


def test_no_text_with_a_secret_is_passed_over() -> None:
    cases = [text for text, _ in (*ASSIGNED, *FILES, *BARE)]
    cases += [sample.text for bare in (False, True) for sample in samples(bare=bare)]
    cases += [case.text for number in (1, 2, 3, 4) for case in redaction.secrets(number)]
    passed_over = [text for text in cases if not may_hold_a_secret(fold(text).text)]
    assert [
        text for text in passed_over if any(list(find(text)) for find in SECRETS.values())
    ] == []
