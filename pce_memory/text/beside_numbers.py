"""What stands beside a number and says that it is none of a phone: a name, a unit, a count.

Orders, parts and parcels are numbered in the very groups that phones are. The word next to a
number tells; words for people do not count, for "customer: 212-555-0142" is how to reach one.
"""

import re
from typing import Final

# Named by one of these alone, or with "no.", "number" or "#" behind it.
_NUMBERED: Final = frozenset(
    [
        "order",
        "invoice",
        "ticket",
        "tracking",
        "serial",
        "s/n",
        "sn",
        "p/n",
        "pn",
        "part",
        "sku",
        "model",
        "item",
        "product",
        "catalog",
        "catalogue",
        "lot",
        "batch",
        "shipment",
        "parcel",
        "waybill",
        "consignment",
        "receipt",
        "isbn",
        "issn",
        "ean",
        "upc",
        "gtin",
        "jan",
        "asin",
        "imei",
        "iccid",
        "vin",
        "barcode",
        "doi",
        "patent",
        "docket",
        "reference",
        "commit",
        "revision",
        "version",
        "build",
        "code",
        "range",
        "row",
        "rows",
        "byte",
        "bytes",
        "timestamp",
        "coordinate",
        "coordinates",
        "po",
        "commande",
        "facture",
        "référence",
        "réf",
        "série",
        "colis",
        "pedido",
        "factura",
        "serie",
        "referencia",
        "ordine",
        "fattura",
        "fatura",
        "protocolo",
        "modelo",
    ]
)
# Named by one of these only with such a word behind it.
_NUMBERED_SO: Final = frozenset(
    [
        "account",
        "acct",
        "policy",
        "claim",
        "contract",
        "case",
        "file",
        "form",
        "member",
        "membership",
        "customer",
        "client",
        "student",
        "employee",
        "patient",
        "badge",
        "passport",
        "license",
        "licence",
        "permit",
        "booking",
        "reservation",
        "confirmation",
        "flight",
        "transaction",
        "document",
        "report",
        "asset",
        "device",
        "card",
        "article",
        "job",
        "task",
        "request",
        "application",
        "registration",
        "certificate",
        "tax",
        "vat",
        "bank",
        "routing",
        "meter",
        "room",
        "seat",
        "table",
        "page",
        "dossier",
        "expediente",
        "bestell",
        "auftrags",
        "rechnungs",
        "kunden",
        "artikel",
        "serien",
        "teile",
        "vertrags",
        "sendungs",
        "konto",
    ]
)
_NUMBERS: Final = frozenset(
    [
        "no",
        "nr",
        "num",
        "number",
        "nummer",
        "code",
        "id",
        "ref",
        "numéro",
        "número",
        "numero",
        "n",
        "#",
        "№",
    ]
)
_NUMMERN: Final = re.compile(
    "(?:bestell|auftrags|rechnungs|kunden|artikel|serien|teile|vertrags|sendungs|konto)nummer"
)
_COUNTED: Final = frozenset(
    [
        "population",
        "price",
        "cost",
        "costs",
        "revenue",
        "budget",
        "turnover",
        "salary",
        "sum",
        "total",
        "area",
        "distance",
        "height",
        "width",
        "length",
        "weight",
        "volume",
        "lumens",
        "lotto",
        "lottery",
        "size",
        "sizes",
        "checksum",
        "$",
        "€",
        "£",
        "¥",
    ]
)
_LINKS: Final = frozenset(
    [
        "is",
        "was",
        "ist",
        "est",
        "es",
        "of",
        ":",
        "=",
        "-",
        "/",
        "°",
        '"',
        "'",
        "(",
        "[",
        "<",
        "$",
        "€",
        "£",
        "¥",
    ]
)
_TOKEN: Final = re.compile(r"[^\W\d_]+(?:/[^\W\d_]+)?|\S")
_MOST_LINKS: Final = 4
_JAPANESE: Final = re.compile(
    "(?:型番|品番|図番|製番|機番|型式|シリアル|ロット"
    "|(?:(?:注文|受注|発注|伝票|追跡|問い?合わ?せ|会員|口座|製造|管理|整理|受付|受理|予約|契約|証券|証書"
    "|社員|職員|学籍|学生|部品|商品|製品|登録|免許証?|案件|請求書?|見積書?|顧客|お客様|取引|照会|識別"
    "|車体|車台|シリアル|ロット|特許|出願|公開|文書|申請|承認|許可|保険者?|診察券|患者|カルテ|旅券"
    "|パスポート|郵便|物件|資料|法人|事業者|配送|荷物|送り状|控え?|確認|チケット|課題|領収書?|図面)\\s?"
    "(?:番号|コード|ナンバー|No\\.?|ID))"
    "|订单号|訂單號|订单编号|编号|編號|型号|型號|序列号|單號|单号|发票号|运单号|合同号"
    "|주문\\s?번호|송장\\s?번호|운송장|일련\\s?번호|모델|제품\\s?번호|계좌\\s?번호|회원\\s?번호|접수\\s?번호)"
    r"\s{0,3}(?:は|が|を|の|은|는|이|가|是|为|[=:/-])?\s{0,3}[\"'「『(\[<#]?\Z"
    r"|(?:人口|価格|値段|売上|合計|総額|金額|面積|距離)\s?(?:は|が|:)?\s?\Z",
    re.IGNORECASE,
)
_MEASURED: Final = re.compile(
    r"\s?(?:[%‰°℃$¥€£]|(?:people|persons|inhabitants|residents|votes?|users|voters|lumens?|lm|lux"
    r"|watts?|kwh|kw|mw|km|m|cm|mm|nm|miles|met(?:er|re)s|kilomet(?:er|re)s|feet|kg|g|mg|tons"
    r"|tonnes|yen|dollars|euros?|pounds|usd|eur|jpy|gbp|bytes?|bits?|kb|mb|gb|kib|mib|rows|lines"
    r"|records|items|hits|views|copies|units|pieces|steps|seconds|sec|ms|ns|times|pixels|px|hz"
    r"|khz|mhz|ghz|tokens|words|characters|samples|messages|euros|personnes|personas|einwohner)"
    # Before another kanji it is a word: 本社, 日中.
    r"(?![A-Za-z0-9])|[人個件台本枚回票名戸円年月日時分秒倍万億千](?![\u3400-\u9fff])|世帯|ドル|ユーロ|メートル|ルーメン|キロ)",
    re.IGNORECASE,
)
_BEFORE: Final = 40


def is_something_else(text: str, start: int, end: int) -> bool:
    """Tell whether what stands beside text[start:end] says that it is no phone number.

    >>> [is_something_else(f"{before}212-555-0142{after}", len(before), len(before) + 12)
    ...  for before, after in (("order #", ""), ("型番は", ""), ("", " lumens"), ("Bob ", " now"))]
    [True, True, True, False]
    """
    before = text[max(0, start - _BEFORE) : start]
    named = _is_named(before) or (not before.isascii() and _JAPANESE.search(before) is not None)
    return named or is_measured(text, end)


def _is_named(before: str) -> bool:
    """Tell whether the last word, behind what links it to the number, names something else."""
    words = _TOKEN.findall(before.lower())
    numbered, last = False, ""
    for _ in range(_MOST_LINKS):
        last = words[-1] if words else ""
        if last in _NUMBERED or last in _COUNTED or (numbered and last in _NUMBERED_SO):
            return True
        if last in _NUMBERS:
            numbered = True
        elif last == "." and words[-2:-1] and words[-2] in _NUMBERS:
            pass
        elif last not in _LINKS:
            break
        words.pop()
    return _NUMMERN.fullmatch(last) is not None or (numbered and "#" in before[-2:])


def is_measured(text: str, end: int) -> bool:
    """Tell whether a unit, or what is counted, follows a number that ends there."""
    return _MEASURED.match(text, end) is not None
