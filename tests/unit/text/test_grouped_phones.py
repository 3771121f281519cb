"""Phone numbers without a cue: the groups of national numbering plans, and what resembles them."""

import pytest

from pce_memory.text.detect import detect


def found(text: str, kind: str) -> list[str]:
    return [text[start:end] for _, start, end in detect(text, {kind})]


NUMBERS = [
    "73 448 266", "(11) 4706-6184", "(21) 98765-4321", "(96) 627-277", "(812) 345-67-89", "98765 43210", "347 123 4567",
    "53 123 45 67", "612 34 56 78", "412 34 567", "612 345 678", "606 123 456", "532 123 45 67", "45-67-89-12", "42 21 33 87",
    "11 4706-6184", "0911 98 76 54", "030 12 34 56 78",
]  # fmt: skip


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("text", ["Mine: {}.", "please try {} tomorrow", "{}", "番号は{}です"])
def test_a_number_of_a_numbering_plan_is_a_phone(text: str, number: str) -> None:
    assert found(text.format(number), "phone") == [number]


@pytest.mark.parametrize(
    "text",
    [
        "73 448 266 people live there", "a population of 73 448 266.", "it cost 12 345 678.", "€ 73 448 266", "73 448 266 km",
        "ISBN 978 3 16 148410 0", "978-3-16-148410-0", "(11) 2019-2020", "see (12) 345 678 times", "48.8566 2.3522", "48 51 24 2 21 03",
        "2025-12-18 10:20", "v1.2.345 678", "1 234 567 890", "lotto 12 24 35 46", "order 73 448 266.", "sum 512 000 000.",
        "73 448 000 of them", "100 200 300", "1999 2000 2001", "10 20 30 40", "20 30 40 50", "4111 1111 1111 1112",
        "2 448 266 000", "(3) 448-266", "matrix 23 45 67 12 34 56",
    ],
)  # fmt: skip
def test_what_is_counted_is_no_phone(text: str) -> None:
    assert found(text, "phone") == []


@pytest.mark.parametrize(
    "address",
    [
        "61bf:4e9:8a2:1:77d:9a4f:3c1:e2", "0a1b:2c3d:4e5f:6071:8293:a4b5:c6d7:e8f9", "fe80::1ff:fe23:4567:890a",
        "fd12:3456:789a:1::1", "2001:db8::7",
    ],
)  # fmt: skip
def test_an_ipv6_address_is_one_routed_or_not(address: str) -> None:
    assert found(f"from {address} today", "ip_address") == [address]


@pytest.mark.parametrize(
    "text", ["00:1b:44:11:3a:b7", "00:1b:44:ff:fe:11:3a:b7", "::1", "10:20:30", "std::a::b", "0:0:0:0:0:0:0:1"]
)  # fmt: skip
def test_hardware_and_this_machine_have_no_ipv6_address(text: str) -> None:
    assert found(f"from {text} today", "ip_address") == []
