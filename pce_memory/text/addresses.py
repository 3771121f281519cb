"""Find postal addresses in a folded text: Japanese ones, and streets as English writes them.

Only where a policy asks for them: an address is as often a firm's as a person's.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from pce_memory.text.fold import Span

Finder = Callable[[str], Iterator[Span]]

_PREFECTURE: Final = (
    "(?:東京都|北海道|大阪府|京都府|青森県|岩手県|宮城県|秋田県|山形県|福島県|茨城県|栃木県|群馬県"
    "|埼玉県|千葉県|神奈川県|新潟県|富山県|石川県|福井県|山梨県|長野県|岐阜県|静岡県|愛知県|三重県"
    "|滋賀県|兵庫県|奈良県|和歌山県|鳥取県|島根県|岡山県|広島県|山口県|徳島県|香川県|愛媛県|高知県"
    "|福岡県|佐賀県|長崎県|熊本県|大分県|宮崎県|鹿児島県|沖縄県)"
)
_NAME: Final = "[々〆ヶ\u3041-\u30fa\u30fc\u3400-\u9fff]"
_KANJI: Final = "[々〆ヶヵケ\u30a1-\u30fa\u30fc\u3400-\u9fff]"
_CODE: Final = r"〒\s?\d{3}-?\d{4}"
_NUMBER: Final = "(?:[0-9]{1,4}|[一二三四五六七八九十]{1,3})"
_UNIT: Final = "(?:丁目|番地の?|番町|番|号室?|条|線|地割|[-ー](?=[0-9]))"
# 三丁目1番3号, 1-2-3, 北1条西2丁目
_BLOCK: Final = rf"{_NUMBER}\s?{_UNIT}(?:\s?[東西南北]?{_NUMBER}(?:\s?{_UNIT})?){{0,5}}"
# A bare number ends an address only if nothing is counted with it.
_BARE: Final = "[0-9]{1,5}(?![0-9年月日時分秒円人個件回名台世%.,:])"
_PLOT: Final = f"(?<=[字町村沢]){_BARE}"
_HOUSE: Final = rf"(?<![はがをにでともへや])(?:{_BLOCK}|{_PLOT})"
_BUILDING: Final = (
    rf"(?:\s?(?:[A-Za-z0-9]{{1,12}}\s?)?{_KANJI}{{0,16}}"
    r"(?:ビル|マンション|ハイツ|タワー|コーポ|レジデンス|荘)(?:\s?[0-9]{1,4}(?:号室?|F|階)?)?)?"
)
# Kyoto: two streets, the way from their crossing, the block: 寺町通御池上る上本能寺前町488番地
_KYOTO: Final = (
    rf"(?:{_CODE}\s?)?(?:京都市\s?)?{_KANJI}{{1,4}}区(?![のでにはをがと])\s?{_NAME}{{2,24}}?"
    rf"(?:[上下][るルがガ]|[東西]入[るルりリ]?)\s?{_NAME}{{0,24}}\s?"
    rf"(?:{_HOUSE}|(?<=側){_BARE}){_BUILDING}"
)
_JAPANESE: Final = (
    rf"(?:{_CODE}|(?<![0-9-])[0-9]{{3}}-[0-9]{{4}})?[\s,、:]{{0,3}}"
    rf"{_PREFECTURE}\s?{_NAME}{{1,10}}?[市区町村郡](?![のでにはをがと])\s?{_NAME}{{0,24}}\s?"
    rf"{_HOUSE}{_BUILDING}"
    # Without a prefecture, the block has to be complete.
    rf"|{_KANJI}{{1,6}}[市区](?![のでにはをがと])\s?{_NAME}{{1,16}}\s?"
    rf"(?:[0-9]{{1,3}}-[0-9]{{1,3}}-[0-9]{{1,4}}|{_NUMBER}丁目\s?[0-9]{{1,3}}(?:-[0-9]{{1,4}}|番))"
    rf"(?:-[0-9]{{1,4}}|[0-9]{{1,3}}号)?(?![0-9-]){_BUILDING}"
    rf"|{_KYOTO}|{_CODE}(?![0-9])"
)
_KIND_OF_STREET: Final = (
    "(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Drive|Dr|Lane|Ln|Court|Ct|Place|Pl|Square|Sq"
    "|Terrace|Way|Parkway|Pkwy|Highway|Hwy|Circle|Crescent|Close)"
)
_FLAT: Final = r"(?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor)\.?\s?#?[A-Za-z0-9-]{1,6}"
_STREET: Final = (
    r"(?<![A-Za-z0-9.,-])[0-9]{1,6}[A-Za-z]?\s{1,2}(?:(?:North|South|East|West|[NSEW])\.?\s)?"
    rf"(?:[A-Z][\w'’.-]{{1,20}}\s){{1,4}}{_KIND_OF_STREET}(?![A-Za-z0-9])\.?"
    rf"(?:,?\s{{1,2}}{_FLAT})?"
    r"(?:,?\s{1,2}[A-Z][A-Za-z.' -]{1,30},?\s{1,2}[A-Z]{2}\s{1,2}[0-9]{5}(?:-[0-9]{4})?)?"
    rf"|(?:PSC\s[0-9]{{4}},\sBox|Unit\s[0-9]{{4}}\sBox)\s[0-9]{{4}}\s(?:APO|FPO|DPO)\sA[AEP]\s[0-9]{{5}}"
    r"|(?<![A-Za-z])P\.?\s?O\.?\sBox\s[0-9]{1,6}(?![0-9])"
)


def japanese_addresses(text: str) -> Iterator[Span]:
    """Find Japanese addresses with a number of a house or block, and postal codes with their mark.

    >>> found = japanese_addresses("住所は〒100-0001 東京都千代田区千代田1-1です。東京都の人口")
    >>> list(found)
    [(3, 26)]
    """
    if "〒" in text or any(unit in text for unit in "市区町村郡"):
        yield from (found.span() for found in _compiled(_JAPANESE).finditer(text))


def street_addresses(text: str) -> Iterator[Span]:
    """Find addresses with the number of a house and a street, boxes at the post office included.

    >>> list(street_addresses("He lives at 221B Baker Street, London. Take 3 Easy Steps"))
    [(12, 29)]
    """
    return (found.span() for found in _compiled(_STREET).finditer(text))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


ADDRESSES: Final[Mapping[str, Finder]] = MappingProxyType(
    {"jp_address": japanese_addresses, "street_address": street_addresses}
)
