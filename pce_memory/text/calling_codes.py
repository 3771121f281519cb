"""Calling codes of countries, and how many digits a number behind each of them has (ITU E.164).

A plus stands before sums, differences and offsets of time as well; these have no such length.
"""

from types import MappingProxyType
from typing import Final

_CODES: Final = {
    (4, 5): "290",
    (4, 7): "683 690",
    (5, 5): "500 682",
    (5, 7): "247 676 677 678 688",
    (5, 8): "47 386 686",
    (5, 10): "27 64 98 685",
    (5, 11): "31 352 598 852",
    (5, 13): "61 82 358 971",
    (6, 6): "298 299 672 687",
    (6, 9): "40 252 355 376 421 508 597 681 689",
    (6, 11): "48 53 95 375 595 880",
    (6, 13): "39 43 46 49 63 359 381",
    (7, 7): "238 239 246 248 269 291 297 592 673 674 680 691 692",
    (7, 9): "220 231 241 245 265 354 385 423 599 670 675 853 961 965 967 968 975",
    (7, 12): "62 84 86 90 230 243 254 263 267 353 372 501 503 507 679 882 886 960 972 974",
    (8, 8): "45 216 222 223 226 227 228 232 235 236 253 257 266 350 356 357 370 371 373 374 389"
    " 505 509 800 808 973 993",
    (8, 9): "32 36 51 213 224 233 237 250 258 264 268 377 382 387 591 962 963",
    (8, 11): "20 55 57 60 65 66 81 91 92 378 383 502 504 506 593 850 855 856 883 964 970 976 977",
    (9, 9): "33 34 93 94 211 212 218 221 240 242 244 249 251 255 256 260 261 262 351 590 594 596"
    " 979 992 994 995 998",
    (9, 12): "41 44 56 380 420 870 881 966 996",
    (10, 10): "1 7 52 58 225 229",
    (10, 13): "30 54 234",
    (11, 12): "878 888",
}
_LENGTHS: Final = MappingProxyType(
    {
        code: range(least, most + 1)
        for (least, most), codes in _CODES.items()
        for code in codes.split()
    }
)
_LONGEST_CODE: Final = 3


def is_international(digits: str) -> bool:
    """Tell whether digits are a calling code and as many more as its country has.

    A zero that is dialled within the country alone may stand between them.

    >>> [is_international(n) for n in ("12125550142", "39066982", "8109012345678", "1234567890")]
    [True, True, True, False]
    """
    for size in range(1, _LONGEST_CODE + 1):
        if lengths := _LENGTHS.get(digits[:size]):
            count = len(digits) - size
            return count in lengths or (digits[size : size + 1] == "0" and count - 1 in lengths)
    return False
