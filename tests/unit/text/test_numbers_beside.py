"""Numbers that are phones or addresses by their form, and what beside them says otherwise."""

import pytest

from pce_memory.text.detect import PII_KINDS, detect


def finds(text: str) -> list[tuple[str, str]]:
    return [(kind, text[start:end]) for kind, start, end in detect(text, PII_KINDS)]


@pytest.mark.parametrize(
    "number",
    [
        "0151/23456789", "030/123456", "030 123456", "0711/12 34 56", "0475/12.34.56", "13800138000", "138 0013 8000",
        "138-0013-8000", "01.42.68.53.00", "01 42 68 53 00", "+39 06 6982", "98765 43210", "(11) 91234-5678",
        "010-1234-5678", "02-123-4567", "020 7946 0018", "07911 123456", "(212) 555-0142", "212-555-0142",
        "212.555.0142", "03-1234-5678", "０３－１２３４－５６７８", "０９０１２３４５６７８", "(212) 555-0142 x12",
        "(212) 555-0142 ext. 12", "020 7946 0018 extension 5", "03-1234-5678（内線12）", "(06 1) 239 9428",
        "0049 151/23456789", "8 (912) 345-67-89", "(601) 2348097", "333 1234567", "2112 7583",
    ],
)  # fmt: skip
@pytest.mark.parametrize("text", ["{}", "my number: {}", "番号は{}です。", "Meine Nummer ist {}."])
def test_a_phone_needs_no_cue(text: str, number: str) -> None:
    assert finds(text.format(number)) == [("phone", number)]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Tel 030/123456", "030/123456"), ("Tel.: 030/123456", "030/123456"), ("手机号13800138000", "13800138000"),
        ("Telefon: 8127 2348", "8127 2348"), ("전화 0212345678", "0212345678"), ("Order line: call 212-555-0142", "212-555-0142"),
        ("Tickets: 212-555-0142", "212-555-0142"), ("customer: 212-555-0142", "212-555-0142"),
        ("my order. 212-555-0142 is me", "212-555-0142"), ("03-1234-5678本社", "03-1234-5678"),
        ("090-1234-5678日中のみ", "090-1234-5678"), ("予約は03-1234-5678", "03-1234-5678"),
    ],
)  # fmt: skip
def test_a_word_for_a_phone_or_a_person_makes_it_one(text: str, number: str) -> None:
    assert finds(text) == [("phone", number)]


@pytest.mark.parametrize(
    "text",
    [
        "order #212-555-0142", "Order number: 212-555-0142", "order no. 212-555-0142", "注文番号 212-555-0142",
        "注文番号：090-1234-5678", "型番 03-1234-5678", "型番は0120-123-456です", "SKU: 415-555-2671", "Serial 212-555-0142",
        "serial no. 03-1234-5678", "part no. 415-555-2671", "Part number: 212-555-0142", "Invoice 212-555-0142",
        "case no. 03-1234-5678", "伝票番号 03-1234-5678", "会員番号 090-1234-5678", "口座番号 0123-456789",
        "Bestellnummer 0151-23456789", "订单号 138-0013-8000", "주문번호 010-1234-5678", "customer no. 212-555-0142",
        "a population of 73 448 266", "人口 73 448 266", "73 448 266 lumens", "98765 43210 lumens", "price 98765 43210",
        "$212-555-0142", "120 60 75 cm", "the desk is 120 60 75 cm", "mobile 1920 1080 screen", "cell 12 34 56 78",
        "pages 2329-2335", "phone (2019-2020)", "Tel 01.02.2025", "+1.12345679", "+1 234 567 890", "00 01 00 00 00 50 32",
        "3f 01 00 00 00 50 32", "room-212-555-0142", "60000-64999", "48.8566, 2.3522", "ISBN 978-3-16-148410-0",
        "[2025-01-02 10:20:30] 1734487200", "@@ -123,456 +789,1011 @@", "index 83a4f2b..9f86d08 100644",
    ],
)  # fmt: skip
def test_what_is_numbered_counted_or_measured_is_no_phone(text: str) -> None:
    assert finds(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "nginx 1.24.0.1", "nginx/1.24.0.1", "version 1.2.3.4", "v 1.2.3.4", "Firefox 115.0.2.1 crashes", "OpenSSL 1.1.1.1",
        "upgraded to 3.12.0.4", "upgrade V8 to 3.24.35.22", "Zephyr 3.2.0.1", "measure 12.34.56.78", "10.20.30.40 mm",
        "since the 1.7.3.1 release", "RFC 7540 8.1.2.4", "0.0.0.1", "face::b00c", "cafe::1", "dead::beef",
    ],
)  # fmt: skip
def test_versions_sections_and_words_are_no_addresses(text: str) -> None:
    assert finds(text) == []


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("nginx 192.168.1.5", "192.168.1.5"), ("nginx 203.0.113.5", "203.0.113.5"), ("Server 8.8.8.8", "8.8.8.8"),
        ("migrated to 203.0.113.9", "203.0.113.9"), ("Alice came from 34.12.5.9", "34.12.5.9"),
        ("64:ff9b::c000:221", "64:ff9b::c000:221"), ("fd12:3456:789a:1::1", "fd12:3456:789a:1::1"),
        ("IPv6: face::b00c", "face::b00c"), ("61bf:4e9:8a2:1:77d:9a4f:3c1:e2", "61bf:4e9:8a2:1:77d:9a4f:3c1:e2"),
    ],
)  # fmt: skip
def test_addresses_of_machines_stay_addresses(text: str, address: str) -> None:
    assert finds(text) == [("ip_address", address)]
