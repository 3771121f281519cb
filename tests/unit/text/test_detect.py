"""What counts as personal data or a secret, and what only looks like it."""

import time

import pytest
from hypothesis import given, strategies as st

from pce_memory.text.detect import PII_KINDS, SECRET_KINDS, Match, detect

# (kind, text, what of it is found; None: the whole text)
PERSONAL = [
    ("email", "x@example.com", None),
    ("email", "連絡はx@example.comまで", "x@example.com"),
    ("email", "連絡は x@example.com まで", "x@example.com"),
    ("email", "ｘ＠ｅｘａｍｐｌｅ．ｃｏｍ", None),
    ("email", "x\u200b@example\u2060.com", None),
    ("email", "first.last+tag@mail.example.co.jp、", "first.last+tag@mail.example.co.jp"),
    ("email", "<a_b@example.org>", "a_b@example.org"),
    ("email", "mailto:o'neil@example.ie?subject=x", "o'neil@example.ie"),
    ("email", "user@163.com", None),
    ("email", "saito%40example.com", None),
    ("email", "saito&#64;example.com", None),
    ("email", r"saito\u0040example.com", None),
    ("email", "saito [at] example.com", None),
    ("email", "saito@\nexample.com", None),
    ("email", "sa\u0301ito@example.com", None),
    ("phone", "090-1234-5678", None),
    ("phone", "電話は090-1234-5678です", "090-1234-5678"),
    ("phone", "０９０－１２３４－５６７８", None),
    ("phone", "090ー1234ー5678", None),
    ("phone", "090–1234—5678", None),
    ("phone", "090 1234 5678", None),
    ("phone", "080-1234-\n5678", None),
    ("phone", "連絡先：09012345678", "09012345678"),
    ("phone", "03-1234-5678", None),
    ("phone", "（03）1234-5678", None),
    ("phone", "03(1234)5678", None),
    ("phone", "0120-123-456", None),
    ("phone", "0120-123456", None),
    ("phone", "+81-90-1234-5678", None),
    ("phone", "+81 (0)3 1234 5678", None),
    ("phone", "+819012345678", None),
    ("phone", "+1 415 555 2671", None),
    ("phone", "(415) 555-2671", None),
    ("phone", "415-555-2671", None),
    ("phone", "1-800-555-1234", None),
    ("phone", "+44 20 7946 0958", None),
    ("phone", "020 7946 0958", None),
    ("phone", "TEL: 4155552671", "4155552671"),
    ("phone", "電話番号 0312345678", "0312345678"),
    ("phone", "090\u200b-1234\u200d-5678", None),
    ("phone", "(call 090-1234-5678)", "090-1234-5678"),
    ("phone", "Phone: 467 3395", "467 3395"),
    ("phone", "Phone:\n60-56-85-91", "60-56-85-91"),
    ("phone", "have the manager call me at (96) 627-277", "(96) 627-277"),
    ("phone", "Mobile: 986.291.2294x751", "986.291.2294x751"),
    ("phone", "001-420-335-7509", None),
    ("phone", "+33.1.23.45.67.89", None),
    ("phone", "01 23 45 67 89", None),
    ("phone", "0494 92 82 32", None),
    ("phone", "+447700 208 815-Fax", "+447700 208 815"),
    ("phone", "69 987 88 37 office", "69 987 88 37"),
    ("phone", "03-1234-5678 内線123", None),
    ("phone", "090.1234.5678", None),
    ("phone", "０８０１２３４５６７８", None),
    ("phone", "着信：0312345678", "0312345678"),
    ("phone", "〇九〇－一二三四－五六七八", None),
    ("credit_card", "4111 1111 1111 1111", None),
    ("credit_card", "4111-1111-1111-1111", None),
    ("credit_card", "4111111111111111", None),
    ("credit_card", "４１１１　１１１１　１１１１　１１１１", None),
    ("credit_card", "4111 1111\n1111 1111", "4111 1111\n1111 1111"),
    ("credit_card", "カード5555555555554444です", "5555555555554444"),
    ("credit_card", "3782 822463 10005", None),
    ("credit_card", "6011 1111 1111 1117 12/27", "6011 1111 1111 1117"),
    ("credit_card", "注文 1234 4111 1111 1111 1111", "4111 1111 1111 1111"),
    ("credit_card", "my credit card number is 675984103431", "675984103431"),
    ("credit_card", "180016070420458", None),
    ("credit_card", "JCB3528-0139-6245-9574", "3528-0139-6245-9574"),
    ("iban", "my iban is gb82west12345698765432", "gb82west12345698765432"),
    ("iban", "DE89 3704 0044 0532 0130 00", None),
    ("iban", "口座GB82WEST12345698765432へ", "GB82WEST12345698765432"),
    ("my_number", "マイナンバー：1234 5678 9018", "1234 5678 9018"),
    ("my_number", "個人番号は１２３４５６７８９０１８", "１２３４５６７８９０１８"),
    ("my_number", "My Number 123456789018", "123456789018"),
    ("my_number", "個人番号（12桁）：123456789018", "123456789018"),
    ("my_number", "マイナンバー 1234-5678-\n9018", "1234-5678-\n9018"),
    ("us_ssn", "Here's my SSN: 123-45-6789", "123-45-6789"),
    ("us_ssn", "social security number is 123456789", "123456789"),
    ("us_ssn", "社会保障番号：１２３－４５－６７８９", "１２３－４５－６７８９"),
    ("ip_address", "203.0.113.7", None),
    ("ip_address", "接続元は192.168.10.4から", "192.168.10.4"),
    ("ip_address", "10.0.0.1:8080", "10.0.0.1"),
    ("ip_address", "192.168.1.4/24", "192.168.1.4"),
    ("ip_address", "2001:db8::8a2e:370:7334", None),
    ("ip_address", "server 192.168.1.5", "192.168.1.5"),
    ("ip_address", "via 203.0.113.5", "203.0.113.5"),
    ("ip_address", "vpn 10.8.0.6", "10.8.0.6"),
    ("ip_address", "[secret]、、203.0.1.1", "203.0.1.1"),
    ("ip_address", "fe80::1ff:fe23:4567:890a", None),
]  # fmt: skip

A36 = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5"
HEX = "9f86d081884c7d659a2feaa0c55ad015"
JWT = (
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"
    ".eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4ifQ"
    ".SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"
)
PEM = (
    "-----BEGIN RSA PRIVATE KEY-----\n"
    "MIIEowIBAAKCAQEAx4UbaDzY5xjW6hc9jwN0mX33XpTDVW2WlFh8xSjE0QkZbB1V\n"
    "aBcD1234/+==\n"
    "-----END RSA PRIVATE KEY-----"
)
SECRETS = [
    ("private_key", PEM, None),
    ("private_key", f"鍵は{PEM}です", PEM),
    ("private_key", PEM.replace("RSA ", ""), None),
    ("private_key", PEM.replace("RSA", "OPENSSH"), None),
    ("private_key", PEM.replace("\n", "\\n"), None),
    ("private_key", PEM[:96] + "\nthe end", PEM[:96]),
    ("private_key", PEM.rsplit("\n", 1)[0] + "\nthe end", PEM.rsplit("\n", 1)[0]),
    ("jwt", JWT, None),
    ("jwt", f"トークン{JWT}を使う", JWT),
    ("jwt", JWT[:60] + "\n" + JWT[60:], None),
    ("openai", f"sk-{A36}", None),
    ("openai", f"sk-proj-{A36}_{A36}", None),
    ("openai", f"sk-svcacct-{A36}", None),
    ("openai", f"鍵はsk-{A36}です", f"sk-{A36}"),
    ("openai", f"ｓｋ－{A36}", None),
    ("openai", f"sk-{A36[:9]}\u200b{A36[9:]}", None),
    ("openai", f"sk-{A36[:16]}\n{A36[16:]}", None),
    ("openai", f"sk-or-v1-{HEX}", None),
    ("openai", "sk-1234567890abcdef", None),
    ("openai", "sk-abcdefghijklmnop", None),
    ("anthropic", f"sk-ant-api03-{A36}-{A36}AA", None),
    ("github", f"ghp_{A36}", None),
    ("github", f"ghp_{A36[:20]}\n  {A36[20:]}", None),
    ("github", f"github_pat_11ABCDEFG0{A36}_{A36}", None),
    ("gitlab", "glpat-aBcDeFgHiJkLmNoPqRs1", None),
    ("slack", "xoxb-123456789012-1234567890123-aBcDeFgHiJkLmNoPqRsTuVwX", None),
    ("slack", "https://hooks.slack.com/services/T00000000/B00000000/aBcDeFgHiJkLmNoPqRsTuVwX", None),
    ("discord", f"https://discord.com/api/webhooks/123456789012345678/{A36}", None),
    ("telegram", f"123456789:AA{A36[:33]}", None),
    ("aws", "AKIAIOSFODNN7EXAMPLE", None),
    ("aws", "鍵AKIAIOSFODNN7EXAMPLEを", "AKIAIOSFODNN7EXAMPLE"),
    ("aws", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
     "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    ("google", f"AIza{A36[:35]}", None),
    ("azure", f"AccountName=x;AccountKey={A36}{A36}aBcDeFgHiJkL==;", f"{A36}{A36}aBcDeFgHiJkL=="),
    ("azure", f"https://x.blob.core.windows.net/c?sv=2022&sig={A36}%3D", f"{A36}%3D"),
    ("stripe", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", None),
    ("stripe", "rk_test_4eC39HqLyjWDarjtT1zdp7dc", None),
    ("npm", f"npm_{A36}", None),
    ("pypi", f"pypi-AgEIcHlwaS5vcmc{A36}", None),
    ("huggingface", f"hf_{A36[:34]}", None),
    ("sendgrid", f"SG.{A36[:22]}.{A36}aBcDeFg", None),
    ("twilio", f"SK{HEX}", None),
    ("token", f"dckr_pat_{A36[:27]}", None),
    ("token", f"gsk_{A36}{A36[:16]}", None),
    ("token", f"dapi{HEX}", None),
    ("token", f"hvs.{A36}", None),
    ("database_url", "postgres://app:s3cr3t@db.example.com:5432/x", "s3cr3t"),
    ("database_url", "mysql+pymysql://root:p@ss@127.0.0.1/x", "p@ss"),
    ("database_url", "接続先はredis://:hunter2@cache:6379/0です", "hunter2"),
    ("database_url", "https://user:pw123@example.com/path", "pw123"),
    ("password", "password=hunter22", "hunter22"),
    ("password", "password: hunter22", "hunter22"),
    ("password", "PASSWORD=swordfish", "swordfish"),
    ("password", "DB_PASSWORD=correct-horse-battery", "correct-horse-battery"),
    ("password", 'password = "correct-horse"', "correct-horse"),
    ("password", '{"password": "hunter22", "user": "x"}', "hunter22"),
    ("password", "password: swordfish", "swordfish"),
    ("password", "passwd: P@ssw0rd!", "P@ssw0rd!"),
    ("password", "pwd=abc123def;Server=x", "abc123def"),
    ("password", "my password is hunter22.", "hunter22"),
    ("password", "the password for staging is Tr0ub4dor&3", "Tr0ub4dor&3"),
    ("password", "password: 12345678", "12345678"),
    ("password", "**Password:** hunter22", "hunter22"),
    ("password", "<password>hunter22</password>", "hunter22"),
    ("password", "パスワード：hunter22", "hunter22"),
    ("password", "パスワードはhunter22です", "hunter22"),
    ("password", "パスワードは hunter22 です。", "hunter22"),
    ("password", "パスワードは、hunter22です", "hunter22"),
    ("password", "パスワード：hunter22（変更予定）", "hunter22"),
    ("password", "暗証番号：0831（変更予定）", "0831"),
    ("password", "password=tyW4Acq9GFz6Y90a（", "tyW4Acq9GFz6Y90a"),
    ("password", "パスフレーズ：correct-horse-battery", "correct-horse-battery"),
    ("password", "仮パスワードXk9mQ2vLを発行", "Xk9mQ2vL"),
    ("password", "guest / latte4you （パスワード）", "latte4you"),
    ("password", "共通パス：momiji2323", "momiji2323"),
    ("password", "sshpass -p hunter22 ssh db", "hunter22"),
    ("password", "requirepass hunter22", "hunter22"),
    ("password", '<property name="password" value="hunter22"/>', "hunter22"),
    ("password", "ﾊﾟｽﾜｰﾄﾞ：ｈｕｎｔｅｒ２２", "ｈｕｎｔｅｒ２２"),
    ("password", "パスワード（本番）：hunter22", "hunter22"),
    ("password", "パスワードは「hunter22」です", "hunter22"),
    ("password", "パスワードはhunter22に変更した", "hunter22"),
    ("password", "合言葉は「ひらけごま」", "ひらけごま"),
    ("password", "合言葉：ひらけごま", "ひらけごま"),
    ("password", "合言葉はひらけごまです", "ひらけごま"),
    ("password", "パスワードを「sakura2024」に設定", "sakura2024"),
    ("password", "パスワード sakura2024", "sakura2024"),
    ("password", "パスワードはletmeinです", "letmein"),
    ("password", "ID: admin / PW: hunter22", "hunter22"),
    ("password", "api key を abc123def456 に更新", "abc123def456"),
    ("password", "x-api-key: 1234567890abcdef", "1234567890abcdef"),
    ("password", "暗証番号は1234です", "1234"),
    ("password", "api_key=abc123def456", "abc123def456"),
    ("password", "API key: 9f86d081884c7d65", "9f86d081884c7d65"),
    ("password", "APIキーは9f86d081884c7d65", "9f86d081884c7d65"),
    ("password", "token: a1b2c3d4e5f6", "a1b2c3d4e5f6"),
    ("password", "secret=abc123", "abc123"),
    ("password", "client_secret: 'x9Y8z7W6'", "x9Y8z7W6"),
    ("password", "https://example.com/?token=abc123def&page=2", "abc123def"),
    ("password", "Authorization: Bearer abcdef1234567890", "abcdef1234567890"),
    ("password", "Authorization: Basic dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNzd29yZA=="),
    ("password", "mysql --password hunter22 -h db", "hunter22"),
    ("password", "curl -u admin:hunter22 https://example.com", "hunter22"),
    ("password", "password: token: abc123def", "abc123def"),
    ("password", "password:\n  hunter22", "hunter22"),
    ("password", "password=" + "aB3" * 400, "aB3" * 400),
]  # fmt: skip

LOOK_ALIKES = [
    "2025-12-18", "2025/12/18", "2025-12-18T10:20:30Z", "2025-12-18 10:20:30.123456+09:00",
    "20251218102030", "1734487200000", "1734487200123456", "01-02-2025 10:20", "10:20:30",
    "v1.2.3", "1.2.3.4.5", "v1.2.3.4", "version 10.0.0.1", "バージョン10.0.19045.1", "Chrome 120.0.6099.109",
    "numpy>=1.26,<3", "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "9f86d08", "e3b0c44298fc1c149afbf4c8",
    "550e8400-e29b-41d4-a716-446655440000", "00000000-0000-0000-0000-000000000000",
    "order 1234567890123", "注文番号 1234567890123", "4111111111111112", "No. 123456789", "0123456789",
    "978-4-06-123456-7", "ISBN 0-306-40615-2", "9784061234567", "〒100-0001", "1,234,567,890 yen",
    "x = 123456789 + 987654321", "256 512 1024", "ports 443 500 4500", "3.14159265358979", "1e-10",
    "task-abcdefghijkl", "disk-usage", "risk-assessment-2024-report", "ask-anything-you-like-2024",
    "sk-learn", "sk-estimator-doc-link", "sk-toggleable__content", "AKIA", "eyJhbGciOiJIUzI1NiJ9",
    "git@github.com:org/repo.git", "@pytest.mark.parametrize", "logo@2x.png", "react@18.3.0-rc.next",
    "npm i @types/node@20.1.0", "user@localhost", "foo(a)@b", "127.0.0.1:8080", "0.0.0.0", "255.255.255.0",
    "std::vector<int>", "dead::beef", "00:1a:2b:3c:4d:5e", "aspect 16:9", "::", "a::b::c",
    "No Firebase API key in the build", "the password must have 8 characters", "password: required",
    "Password: Optional", "the token: see docs", "token: str", "token: Token | None", "password: str = Field()",
    "password: SecretStr", "password=None", "password=os.environ['DB_PASSWORD']", 'password=getpass("x")',
    "login(user=username, password=password)", "password=user_password", "password=self.password",
    "password=config.password", "secret: ${{ secrets.DEPLOY_KEY }}", "password=$DB_PASSWORD", "password=%PW%",
    "password: {{ vault_password }}", "password=<your-password>", "password: ********", "token=xxxxxxxxxxxx",
    "[secret]", "password: [secret]", "password=[secret]", "Authorization: Bearer [secret]",
    "Authorization: Bearer <token>", "Authorization: Bearer $TOKEN", "パスワードは8文字以上", "パスワードは必須です",
    "パスワード：必須", "パスワードを変更してください", "パスワードは1Passwordに保存する", "パスワードはBase64でエンコード",
    "パスワードは「8文字以上」とする", "トークンは毎月更新する", "APIキーはVaultに保管する", "the token is base64-encoded",
    "the password is case-sensitive", "token is 32-byte", "max_tokens: 100000", "tokens=128000", "token: 4096",
    "pwd=/home/user1/project", "pass: 12/15 tests", "bypass=true123", "compass: north12", "tokenizer: cl100k_base",
    "secret_name: my-secret1", "secretKeyRef: app1secret", "password_hash=abc123def", "password reset flow",
    "postgres://user:[secret]@host/db", "postgres://user:${DB_PASSWORD}@host/db", "postgres://host:5432/db",
    "https://example.com:8080/path?x=@foo", "https://user@example.test.invalid:443/x"[:13],
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----", "-----BEGIN CERTIFICATE-----",
    "マイナンバー制度は2016年に始まった", "123456789018", "GB82 TEST 1234 5698 7654 32",
    "EC 1.14.16.2", "10.0.0.0/8", "192.0.2.0/24", "2001:db8::/32", 'version="1.0.0.0"', "~=1.4.5.0", "第8.2.4.1項", "本文の8.2.4.1項",
    "0.4312798465479546935", "1 Jul 2015\n3692217600", "cell counts 2264500", "messages to 1000000 users",
    "01 02 03 04 05", "0412-20250101", "054-28-6917", "2.4999999999999996", "675984103431", "Section 4.10.22.7",
    "パスワードを8文字以上にする", "パスワードをbcryptでハッシュ化", "パスワードはbcryptです", "パスワードはoptionalです",
    "合言葉は毎月変わる", "合言葉は秘密です", "password rule 2024", "トークンをOAuth2で取得", "APIキーをGitHubで管理",
    "--password options", "--token TOKEN", "http://<user>:<password>@proxy-host", "shipping-label-2024-01-02-final",
    "SSN 000-12-3456", "SSN 666-12-3456", "SSN 123-00-4567", "part 123-45-6789", "ssn: required 2025-12-18",
    "https://example.com/%40types/node", "npm/%40scope%2Fpkg@1.2.3", "(at) 10:30", "一二三-四五六-七八九", "十〇〇-一二三四",
    "ファームウェア1.0.0.12", "〒530-0001", "東京都千代田区千代田1-1", "sk-xxxxxxxxxxxxxxxxxxxxxxxx", "sk-proj-YOUR_KEY_HERE",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "パスワード「忘れた」ボタン", "パス：src/app2.py", "合言葉は「○○」", "password: !vault |",
    "authorization=Bearer%20x", 'PASSWORD = ObjectIdentifier("1.2.840")', "'%(username)s:%(password)s' % x",
    "private_key: PKCS7PrivateKeyTypes,", '__version__ = "0.5.1.2"', "Hyperspec 2.4.8.19", "052.0111.1006",
    "4901234567894", "SECRET_ALGORITHM=ed25519", "パスワードを忘れたら「再設定」へ", "1//02 is no fraction",
    "セッションは30分で切れる。決定: 2025年4月1日から", "リリースは 2025-04-01 10:00 に実施", "",
]  # fmt: skip


def found(text: str) -> list[tuple[str, str]]:
    return [(match.kind, text[match.start : match.end]) for match in detect(text)]


@pytest.mark.parametrize(("kind", "text", "part"), [*PERSONAL, *SECRETS])
def test_finds(kind: str, text: str, part: str | None) -> None:
    assert found(text) == [(kind, text if part is None else part)]


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_leaves_look_alikes_alone(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(("kind", "text", "part"), [*PERSONAL, *SECRETS])
def test_finds_it_between_japanese(kind: str, text: str, part: str | None) -> None:
    assert (kind, text if part is None else part) in found(f"担当：{text}、以上。")


def test_every_kind_has_an_example() -> None:
    assert {kind for kind, *_ in PERSONAL} == PII_KINDS
    assert {kind for kind, *_ in SECRETS} == SECRET_KINDS


def test_kinds_narrow_the_search() -> None:
    text = "x@example.com 090-1234-5678"
    assert detect(text, {"phone"}) == (Match("phone", 14, 27),)
    assert detect(text, ()) == ()


def test_a_secret_goes_before_personal_data_and_longer_before_shorter() -> None:
    assert found("postgres://app:s3cret@db.example.com/x") == [("database_url", "s3cret")]
    # A card of 19 digits does not end within the next number.
    assert found("4000-2000-0000-0024 \n4000000000000002") == [
        ("credit_card", "4000-2000-0000-0024"),
        ("credit_card", "4000000000000002"),
    ]
    assert found("TEL 4111 1111 1111 1111") == [("credit_card", "4111 1111 1111 1111")]


# What makes a careless pattern try every start with every length.
HOSTILE = [
    "a", "1", "1-", "1 ", "@", "a@", "a.", "-----BEGIN", "-----BEGIN PRIVATE KEY-----", "eyJ", "eyJ\n",
    "eyJaaaaaaaaaaaaaaaaaa\n", "eyJaaaaaaaaaaaaaa.\n", "sk-", "sk-proj-aaaa\n", "AKIA", "xoxb-", "password",
    "password=", "password:\n", "password='", "パスワードは「", "://", "a://b:", "curl -u ", "Bearer ", "1:", "a:",
    "1.", "+1", "090-", "(", "4111 ", "tel ", "マイナンバー", "DE89 ", "a\u200b", "ﾊﾟ", "AccountKey=", "?sig=",
    "api key ", "password for ", "--a-", "(1) ", "x@example.com ",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_no_text_takes_more_than_linear_time(piece: str) -> None:
    text = piece * (2**16 // len(piece.encode()))
    started = time.process_time()
    detect(text)
    # About 0.1 s; one quadratic pattern makes it ten seconds and more.
    assert time.process_time() - started < 3


@pytest.mark.parametrize("ulid", ["01KJVK2ZG0ADWWF2N67A891DS0", "01ARZ3NDEKTSV4RRFFQ69G5FAV"])
def test_an_id_by_the_time_is_no_secret(ulid: str) -> None:
    assert detect(f"event {ulid} came in") == detect(ulid) == ()


@pytest.mark.parametrize("prefix", ["ent", "rel", "clm", "obs", "evd", "doc", "ac", "fb", "jdg"])
@given(number=st.integers(0, 2**64 - 1))
def test_an_id_is_no_secret(prefix: str, number: int) -> None:
    assert detect(f"{prefix}_{number:016x}") == ()
