"""Tell versions and sections of four numbers from the IPv4 addresses they look like.

What stands beside it tells, and so do its numbers: versions begin low, and hardly ever have two
numbers of three digits; networks of a house or firm begin in ways that no version does.
"""

import re
from typing import Final

# A word that says so, whatever the numbers are.
_SAID_BEFORE: Final = re.compile(
    # A server, a VPN and "via" begin or end like a version and are none.
    r"(?:(?<![a-z])(?:v|vers?|rev|release|build|firmware|driver|kernel|section|ec|oid)s?|version"
    r"|spec|§)[._]{0,2}\W{0,5}\Z"
    r"|(?:バージョン|ファームウェア|ドライバー?|ビルド|カーネル|リビジョン|リリース|第)\W{0,4}\Z"
    r"|[~^<>=]=\s?\Z",
    re.IGNORECASE,
)
_SAID_AFTER: Final = re.compile(
    r"\s(?:release|branch|series|version|patch|build|mm|cm|m|km|kg|inch(?:es)?|percent)(?![A-Za-z])"
    r"|[項章節条版]|リリース|バージョン|\^\d|以降|以前の版|系",
)
# What software is called; then a version need not be low.
_PRODUCT: Final = (
    r"(?:nginx|apache|httpd|tomcat|jetty|iis|caddy|haproxy|envoy|traefik|varnish|squid|chrome"
    r"|chromium|firefox|safari|edge|opera|webkit|electron|openssl|openssh|libressl|gnutls|python"
    r"|pypy|node(?:\.?js)?|npm|deno|bun|java|jdk|jre|openjdk|kotlin|scala|php|ruby|rails|perl|go"
    r"|golang|rust|cargo|gcc|clang|llvm|cmake|glibc|musl|busybox|git|gitlab|svn|curl|wget|mysql"
    r"|mariadb|postgres(?:ql)?|sqlite|duckdb|redis|mongodb|oracle|kafka|rabbitmq|elasticsearch"
    r"|docker|containerd|kubernetes|helm|terraform|ansible|vault|consul|jenkins|linux|ubuntu"
    r"|debian|fedora|centos|windows|android|ios|macos|numpy|scipy|pandas|pytorch|tensorflow|cuda"
    r"|cudnn|qt|gtk|unity|unreal|excel|office|photoshop|acrobat|reader|flash|wordpress|drupal"
    r"|django|flask|spring|struts|log4j|jackson|guava|maven|gradle|ant|samba|bind|postfix|exim"
    r"|openvpn|wireshark|ffmpeg|imagemagick|blender|gimp|libreoffice|thunderbird|v8|zlib|boost"
    r"|protobuf|grpc|bash|zsh|vim|emacs|eclipse|intellij|pycharm|xcode|hyperspec|guile|steam)"
)
_OF_A_PRODUCT: Final = re.compile(
    rf"(?<![A-Za-z]){_PRODUCT}(?:\s+(?:to|at|from|is))?[ /:=@-]{{1,2}}[`'\"(]?\Z", re.IGNORECASE
)
# What is done with a version, and what has sections; then the numbers have a say.
_OF_A_TEXT: Final = re.compile(
    r"(?:(?<![a-z])(?:upgrad|downgrad|bump|roll|patch|install|migrat|ship)(?:e|ed|es|ing|s)?"
    r"(?: [\w.-]{1,20}){0,2}(?: (?:to|from|at|in|with|version))? "
    r"|(?<![a-z])(?:updat(?:e|ed|es|ing)|merged|fixed|fixes|introduced|added|removed|deprecated"
    r"|released|available) (?:to|in|since|as of) "
    r"|(?<![a-z])(?:since|as of|requires?|needs)(?: the)? "
    r"|(?<![a-z])(?:chapter|clause|article|appendix|annex|figure|table|paragraph|para|item|rule"
    r"|measure|requirement|policy|standard|step|part|page|iso|rfc)(?: \d{1,5})? "
    r"|(?:更新|アップグレード|アップデート)(?:して|した)?[:はを]?\s?)[`'\"(]?\Z",
    re.IGNORECASE,
)
# Somebody's own name for a thing, next to low numbers; words for machines are no such names.
_NAME: Final = re.compile(r"(?<![A-Za-z0-9.])([A-Z][A-Za-z0-9+#]{2,24}) \Z")
_MACHINES: Final = re.compile(
    r"(?:server|host|hostname|gateway|router|proxy|client|peer|node|machine|address|addr|resolver"
    r"|dns|nameserver|ping|pinging|ssh|telnet|from|via|with|the|and|for|use|try|set|not|but|block"
    r"|allow|deny|connect|connected|login|source|destination|target|remote|local|subnet|network"
    r"|vpn|lan|wan|interface|printer|camera|nas|cluster|master|worker|replica|database|open"
    r"|visit|access|check|reach|request|requests|user|caller|sender|attacker|visitor|ipv4)",
    re.IGNORECASE,
)
_PRIVATE: Final = re.compile(r"192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|10\.")
_LONG: Final = re.compile(r"(?<!\d)\d{3}(?!\d)")
_MOST_LONG: Final = 1
_LOWEST: Final = 20
_LOW: Final = 100
_BEFORE: Final = 72


def is_a_version(text: str, start: int, end: int) -> bool:
    """Tell whether the four numbers of text[start:end] are a version or a section.

    >>> [is_a_version(before + "1.24.0.1", len(before), len(before) + 8)
    ...  for before in ("nginx ", "version ", "upgraded the broker to ", "Zephyr ", "server ")]
    [True, True, True, True, False]
    """
    before = text[max(0, start - _BEFORE) : start]
    if _SAID_BEFORE.search(before) or _SAID_AFTER.match(text, end):
        return True
    number = text[start:end]
    if _PRIVATE.match(number) or len(_LONG.findall(number)) > _MOST_LONG:
        return False
    if _OF_A_PRODUCT.search(before):
        return True
    first, *rest = map(int, number.split("."))
    if first < _LOW and _OF_A_TEXT.search(before):
        return True
    name = _NAME.search(before) if first < _LOWEST and max(rest) < _LOW else None
    return name is not None and not _MACHINES.fullmatch(name[1])
