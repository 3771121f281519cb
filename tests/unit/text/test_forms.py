"""Forms in which people write numbers, addresses and passwords beside the usual ones."""

import pytest

from pce_memory.text.detect import ASKED_KINDS, PII_KINDS, SECRET_KINDS, detect
from pce_memory.text.redact import redact

EVERY_KIND = PII_KINDS | SECRET_KINDS | ASKED_KINDS

# (kind, text, what of it is found; None: the whole text)
FORMS = [
    ("email", "иван@пример.рф", None),
    ("email", "пишите на иван@пример.рф, пожалуйста", "иван@пример.рф"),
    ("email", "mailto:aya@例え.jp で届く", "aya@例え.jp"),
    ("email", "連絡：aya@例え.みんな へ", "aya@例え.みんな"),
    ("email", "宛先は田中@例え.jpです", "田中@例え.jp"),
    ("email", "宛先：田中@example.com", "田中@example.com"),
    ("email", "josé.garcía@example.es", None),
    ("email", "x@bücher.example", None),
    ("email", "用户@例子.广告", None),
    ("email", "홍길동@예시.한국", None),
    ("email", "user@xn--r8jz45g.jp", None),
    ("email", '"odd name"@example.com', None),
    ("email", r'RCPT TO:<"a \"b\" c"@example.com>', r'"a \"b\" c"@example.com'),
    ("email", "user@[192.0.2.10]", None),
    ("email", "user@[IPv6:2001:db8::1]", None),
    ("email", "bob [at] example [dot] com", None),
    ("email", "bob (at) example (dot) com", None),
    ("email", "bob(at)mail.example(dot)org", None),
    ("email", "bob {at} example {dot} co {dot} jp", None),
    ("email", "jane [dot] doe [at] example [dot] com", None),
    ("email", "taro（アット）example（ドット）com", None),
    ("email", "taroアットマークexampleドットcom", None),
    ("email", "bob at example dot com", None),
    ("email", "BOB AT EXAMPLE DOT COM", None),
    ("email", "write to jane dot doe at example dot co dot uk.",
     "jane dot doe at example dot co dot uk"),
    ("phone", "415.555.2671", None),
    ("phone", "電話は415.555.2671です", "415.555.2671"),
    ("phone", "1.800.555.0199", None),
    ("phone", "call 212.736.5000 x12 today", "212.736.5000 x12"),
    ("phone", "090-1234\n-5678", None),
    ("phone", "03-1234\r\n-5678", None),
    ("phone", "415-555\n-2671", None),
    ("phone", "+81-90-1234\n-5678", None),
    ("phone", "電話は零三の一二三四の五六七八", "零三の一二三四の五六七八"),
    ("phone", "〇九〇・一二三四・五六七八", None),
    ("phone", "市外局番045の123の4567です、電話", "045の123の4567"),
    ("phone", "０９０の１２３４の５６７８", None),
    ("credit_card", "4111.2222.3333.4448", None),
    ("credit_card", "番号4111・2222・3333・4448", "4111・2222・3333・4448"),
    ("credit_card", "4111·1111·1111·1111", None),
    ("credit_card", "VISA4111.1111.1111.1111", "4111.1111.1111.1111"),
    ("credit_card", "3782.822463.10005", None),
    ("iban", "GB82-WEST-1234-5698-7654-32", None),
    ("iban", "口座DE89-3704-0044-0532-0130-00へ", "DE89-3704-0044-0532-0130-00"),
    ("iban", "BE68-5390-0754-7034", None),
    ("my_number", "マイナンバーを送ります。\n234567890121", "234567890121"),
    ("my_number", "個人番号は次の行：\r\n1234-5678-9018", "1234-5678-9018"),
    ("my_number", "My Number is below:\n\n123456789018", "123456789018"),
    ("us_ssn", "my SSN is on the next line:\n123-45-6789", "123-45-6789"),
    ("jp_address", "京都市中京区寺町通御池上る上本能寺前町488番地", None),
    ("jp_address", "中京区寺町通御池上る上本能寺前町488番地", None),
    ("jp_address", "京都府京都市下京区烏丸通七条下ル東塩小路町721-1", None),
    ("jp_address", "京都市東山区四条通大和大路東入祇園町北側347です",
     "京都市東山区四条通大和大路東入祇園町北側347"),
    ("password", "パスワード：さくら2024! を共有", "さくら2024!"),
    ("password", "パスワード: ひまわり#99", "ひまわり#99"),
    ("password", "password: さくら2024!", "さくら2024!"),
    ("password", "パスワードはさくら2024!です", "さくら2024!"),
    ("password", "パスワードを富士山3776!に変更した", "富士山3776!"),
    ("password", "password%3DS3cr3t%21Pass", "S3cr3t%21Pass"),
    ("password", "?access_token%3Dabcd1234EFGH5678ijkl", "abcd1234EFGH5678ijkl"),
    ("password", "next=%2Fin%3Fpassword%3Dhunter22%26user%3Dx", "hunter22"),
    ("password", "password%253Dhunter22", "hunter22"),
    ("password", "%7B%22password%22%3A%22hunter22%22%7D", "hunter22"),
    ("password", "Cookie: session=s%3Aabc123DEF456ghi789.xyz", "s%3Aabc123DEF456ghi789.xyz"),
    ("password", "Set-Cookie: JSESSIONID=0A1B2C3D4E5F60718293; Path=/; HttpOnly",
     "0A1B2C3D4E5F60718293"),
    ("password", "curl -H 'cookie: theme=dark; connect.sid=s%3AabcDEF123456.xyz' x",
     "s%3AabcDEF123456.xyz"),
    ("password", 'curl --cookie "PHPSESSID=el4ukv0kqbvoirg7nkp4dncpk3" x',
     "el4ukv0kqbvoirg7nkp4dncpk3"),
    ("password", 'cookies={"sessionid": "abcDEF123456xyz"}', "abcDEF123456xyz"),
    ("telegram", "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw", None),
    ("telegram", "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawx", None),
    ("openai", "key-sk-AbCd1234efgh5678", "sk-AbCd1234efgh5678"),
    ("openai", "sk-or-AbCd1234efgh5678abcd", None),
    ("ip_address", "v1.0.0.2 talks to 1.0.0.1", "1.0.0.1"),
]  # fmt: skip

LOOK_ALIKES = [
    "look at the dot com boom", "he works at example dot com", "find us at example dot com", "we met at a dot on the map",
    "Shopping at example dot com", "meet at noon dot", "許可するのは@example.comだけ", "社内の@example.com のアドレス",
    "飲み会＠渋谷.3月", '"hello"@en', '"@types/node"', '"pkg"@1.2.3', "users@[0]", "a@[300.1.1.1]", "a[at]b", "f(at) + g(dot)",
    "version 415.555.2671", "v415.555.2671", "415.555.267", "415.555.26711", "1.415.555.2671.3", "911.555.2671", "415.911.2671",
    "234.567.890", "$234.567.8901", "Chrome 120.555.6099.109", "2.415.555.2671", "090-1234\n- 5678", "第045の123の4567号",
    "二〇二四の一二の三一", "一二三四の五六七八の九", "4111.2222.3333.4449", "0.4111.2222.3333.4448", "v4111.2222.3333.4448",
    "4111.2222.3333.4448.1", "[.4300.0020.0011.0002] # KATAKANA", "4111.2222・3333.4448", "GB82-WEST-1234-5698-7654-33",
    "x-GB82-WEST-1234-5698-7654-32", "GB82-WEST-1234-5698-7654-32-x", "550e8400-e29b-11d4-be68-539007547034",
    "マイナンバーを送ります。\n234567890122", "マイナンバーの話。\n\n\n234567890121", "京都市中京区の人口は10万人",
    "京都市中京区寺町通御池上る", "中京区で上る階段は3番", "パスワード：英数字8文字以上", "パスワード：有効期限2024/12/31", "パスワード：毎月1日に変更",
    "パスワード：2024年4月に変更", "パスワード：社員番号1234", "パスワードは別途SMSで送付", "パスワードは社内規程2024を参照", "パスワード：最低12文字",
    "パスワード：更新日20240401", "パスワード：第3版2024", "パスワードはサーバー2024で管理", "パス：資料2024!", "password%3Drequired", "password%3D%24PW",
    "token%3Dstr", "password%3D%5Bsecret%5D", "Cookie: theme=dark; lang=ja-JP1", "Cookie: session=<id>", "Cookie: session=[secret]",
    "Set-Cookie: session=deleted; Max-Age=0", "the cookie session is signed", "cookie: author=Taro12345", "session=abc123DEF456xyz",
    "123:AAHdqTcv", "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawxyz", "1.0.0.1 is not in the changelog: see v1.0.0.1",
    "V10.0.0.5 replaces v10.0.0.4; 10.0.0.4 had a bug", "sk-learn-abcdefghijkl", "task-sk-learn-abcdefghijkl",
    "task-sk-abcdefghijklmno", "disk-sk-learn-transformers",
]  # fmt: skip


def found(text: str) -> list[tuple[str, str]]:
    return [(match.kind, text[match.start : match.end]) for match in detect(text, EVERY_KIND)]


@pytest.mark.parametrize(("kind", "text", "part"), FORMS)
def test_finds(kind: str, text: str, part: str | None) -> None:
    assert found(text) == [(kind, text if part is None else part)]


@pytest.mark.parametrize(("kind", "text", "part"), FORMS)
def test_nothing_of_it_is_left(kind: str, text: str, part: str | None) -> None:
    name = "secret" if kind in SECRET_KINDS else kind
    redaction = redact(text, kinds={name})
    assert redaction.text == text.replace(part or text, f"[{name}]")
    assert dict(redaction.counts) == {name: 1}


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_leaves_look_alikes_alone(text: str) -> None:
    assert found(text) == []


READINGS = [
    # A path or an address with percent signs is read as it stands, too.
    ("postgres://u:p%2Fss%3Aword%40x@host/db", "p%2Fss%3Aword"),
    ("mysql://root:a%25b%2Fcd99@h/d", "a%25b%2Fcd99"),
    ('{"password": "hunter\\nTwo-99-xyz"}', "hunter"),
    ("C:\\contacts\\090-1234-5678", "1234-5678"),
    ("5%4111 1111 1111 1111", "1111 1111"),
    ("?q=%E9%9B%BB%E8%A9%B1ghp_16C7e42F292c6912E7710c838347Ae178B4a", "ghp_16"),
    ("\\u001b[32mghp_16C7e42F292c6912E7710c838347Ae178B4a", "ghp_16"),
    ("x%0Aghp_16C7e42F292c6912E7710c838347Ae178B4a", "ghp_16"),
    ("090&ndash;1234&ndash;5678", "5678"),
    ("090-1234-5678\u200b090-8765-4321", "4321"),
    ("DE89 3704 0044 0532 0130 00\nDE75 5121 0800 1245 1261 99\n", "5121"),
    ("4111 1111 1111 1111+taro.yamada@example.com", "1111"),
    ("090-1234-567\\u248f", "u248f"),
]


@pytest.mark.parametrize(("text", "part"), READINGS)
def test_however_it_is_read_nothing_is_left(text, part):
    told = redact(text).text
    assert part not in told
    assert redact(told).text == told
