"""Find tokens that stand in prose: drawn at random, behind a prefix or soon behind their name."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from pce_memory.text.fold import Span
from pce_memory.text.placeholders import stands_for_a_value
from pce_memory.text.quick_search import QuickSearch, quick_search
from pce_memory.text.randomness import is_sequence, is_uuid, surprises

# A prefix of one to three labels, and what was drawn. That may have signs in it as well, so the
# first label can be all of the prefix.
_PREFIXED: Final = re.compile(
    r"(?P<labels>(?P<first>[A-Za-z][A-Za-z0-9]{0,11}[_.~-])(?:[A-Za-z][A-Za-z0-9]{0,9}[_.~-]){0,2})"
    r"[A-Za-z0-9_.-]*[A-Za-z0-9]"
)
_LEAST_RUN: Final = 20
_LEAST_BODY: Final = 16
_SHORT_BODY: Final = 20
_SURE: Final = 3
_SURE_OF_SHORT: Final = 5
# The number of a bot, and its token.
_NUMBERED: Final = re.compile(r"[0-9]{6,12}:(?P<body>[A-Za-z0-9_-]{30,64})")
# Of letters of one case and digits.
_LONG_OF_ONE_CASE: Final = 40
_MOST_OF_ONE_CASE: Final = 512
_CAPITALS: Final = re.compile(r"[A-Z0-9]{20,40}")
# An id by the time: of the alphabet of Crockford, with a first sign of three bits.
_ULID: Final = re.compile(r"0[0-9A-HJKMNP-TV-Z]{25}")
_HEX: Final = re.compile(r"[A-Za-z]{0,4}[0-9a-fA-F]+")
_SHORT_HEX: Final = re.compile(r"[A-Za-z]+[_.~-](?:[0-9a-f]{1,31}|[0-9A-F]{1,31})")
# Without a prefix it has to be long, and of letters of both cases and digits.
_LONG: Final = 32
_VERY_SURE: Final = 6
_BASE64: Final = re.compile(r"[A-Za-z0-9_+/=-]{1,4096}")
_SURE_OF_BASE64: Final = 8
_SURE_OF_PATH: Final = 6
_WORD_OF_PATH: Final = re.compile("[a-z][a-z_-]{2,}|[A-Z][a-z]{2,}|v[0-9]|[a-z]")
_CASES: Final = (re.compile("[a-z]"), re.compile("[A-Z]"), re.compile("[0-9]"))
_KEY_LABELS: Final = frozenset(
    re.findall(
        r"\S+",
        "key keys api sdk pat tok token sk pk rk secret access auth live oauth apikey bearer",
    )
)
# What is given out as a number of something, a sum, or the name of a file or machine.
_NUMBERS: Final = frozenset(
    re.findall(
        r"\S+",
        "id ids req request res resp msg message run user usr cus customer evt event file "
        "chatcmpl cmpl asst thread step call toolu batch commit sha md5 sha1 sha256 sha384 "
        "sha512 blake2 hash digest rev build img image asset chunk main index vendor runtime "
        "order inv invoice pi ch sub price txn tx trace span job task node pod web app svc ip "
        "host i vol snap ami subnet vpc sg eni rtb igw arn doc docs page post item obj object "
        "blob ref uuid guid session sess conv conversation channel team org project proj ws "
        "workspace acct account bundle font style css js layer container docker sbom pkg "
        "release tag branch merge patch diff backup dump log case fixture data model weights "
        "ckpt epoch seed experiment exp uid etag part section bafy qm did base64 utf "
        "integrity nonce video yt watch album track photo pic screenshot chr gene rs ens cid "
        "pmid doi arxiv isbn h1",
    )
)
_NEAR: Final = re.compile(
    r"[^\n]{0,64}?(?<![A-Za-z0-9_/.#@%+=-])(?P<run>[A-Za-z0-9_+/=~.-]{16,512})(?![A-Za-z0-9_/@])"
)
_BELOW: Final = re.compile(
    r"(?P<line>[^\n]{0,64})\n(?:[ \t]*\r?\n)?[ \t]{0,8}(?:> ?)?`{0,3}"
    r"(?P<run>[A-Za-z0-9_+/=~.-]{16,128})`{0,3}"
    r"[ \t]*(?:\r?\n(?!\s*[A-Za-z0-9_+/=-]{40})|$)"
)
_OTHER_LINE: Final = re.compile(
    r"(?i)hash|digest|checksum|commit|sha\d|md5|uuid|\bid\b|public|公開|ハッシュ"
)
_RUN_BEFORE: Final = re.compile(
    r"(?<![A-Za-z0-9_/.#@%+=:-])(?P<run>[A-Za-z0-9_+/=.~-]{16,512})(?![A-Za-z0-9_/@])"
)
_OTHER: Final = re.compile(
    r"(?:(?<![A-Za-z])(?:commit|sha\d*|md5|hash|digest|checksum|revision|rev|id|uuid|guid|etag"
    r"|request|trace|span|build|image|file|version|session|order|ticket|issue|run|job|public"
    r"|integrity|fingerprint|signature|nonce|cursor|csrf|blob|tree|cherry-?pick(?:ed)?|revert(?:s|ed)?"
    r"|merged?|bisect|parent|landed|fixed|introduced|address|wallet|contract|ipfs|cid|pinned)(?-i:(?![a-z]))|ハッシュ|コミット|公開)"
    r"[^\n]{0,20}\Z",
    re.IGNORECASE,
)
_BEFORE: Final = 96
_DIGEST: Final = re.compile("(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})")
_CLAUSE: Final = re.compile("[,;.)(、。]")
_SUMMED: Final = re.compile(r"[0-9a-f]{32,128}[ \t]{1,2}[ *][\w./-]")
_CLOSE: Final = 24


def bare_tokens(text: str) -> Iterator[Span]:
    """Find tokens without a sign of assignment.

    >>> body = "a8Kd02mQ9sLp7Xw3Zt5Rb1Nc"
    >>> [text[a:b] for text in (f"try acme_{body} now", f"run_{body}")
    ...  for a, b in bare_tokens(text)] == [f"acme_{body}"]
    True
    """
    done = 0
    for start, end in _runs()(text):
        if start < done or (start and text[start - 1] in "/@%&#?:+"):
            continue
        done = _end_of_token(text, start, end)
        if done and not _OTHER.search(text, max(0, start - _CLOSE), start):
            yield start, done


def _end_of_token(text: str, start: int, end: int) -> int:
    """Return where a token that begins a run has ended, or 0 where it begins none."""
    if text[end : end + 1] in {"/", "+"}:
        long = _BASE64.match(text, start)
        run = long.group() if long else ""
        # A path has words between its slashes.
        sure = surprises(run) >= len(run) // _SURE_OF_BASE64
        return start + len(run) if len(run) >= _LONG and sure and _is_mixed(run) else 0
    if ":" in text[start:end]:
        numbered = _NUMBERED.match(text, start)
        return numbered.end() if numbered and surprises(numbered["body"]) >= _SURE_OF_SHORT else 0
    if "/" in text[start:end] or "+" in text[start:end]:
        return end if text[start - 1 : start] != "." and _is_base64(text[start:end]) else 0
    run = text[start:end].rstrip("_-.=~")
    following = text[start + len(run) : start + len(run) + 1]
    return start + len(run) if following not in {"@", "("} and _is_token(run) else 0


def _is_base64(run: str) -> bool:
    """Tell whether a run with slashes in it was drawn, and is no path."""
    if any(map(_WORD_OF_PATH.fullmatch, run.split("/"))) or stands_for_a_value(run):
        return False
    return surprises(run) >= len(run) // _SURE_OF_PATH and _is_mixed(run)


def _is_mixed(run: str) -> bool:
    return all(case.search(run) for case in _CASES)


def drawn_near(text: str, start: int, end: int) -> Span | None:
    """Return what was drawn at random and stands on the line of a name, soon behind or before it.

    >>> text = "the token that works is, I think, a8Kd02mQ9sLp7Xw3Zt5Rb1Nc."
    >>> drawn_near(text, 4, 9)
    (34, 58)
    """
    near = _NEAR.match(text, end)
    if near is None or not _is_its_own(text, near, text[end : near.start("run")]):
        near = None
        for earlier in _RUN_BEFORE.finditer(text, max(0, start - _BEFORE), start):
            near = earlier if "\n" not in text[earlier.end("run") : start] else near
        if near is None or not _is_its_own(text, near, text[near.end("run") : start]):
            return None
    return near.start("run"), near.start("run") + len(near["run"].rstrip(".-_~"))


def drawn_below(text: str, end: int) -> Span | None:
    r"""Return what was drawn at random and has the line below that of a name for itself.

    >>> drawn_below("my API key, as you asked:\na8Kd02mQ9sLp7Xw3Zt5Rb1Nc\nthanks", 10)
    (26, 50)
    """
    below = _BELOW.match(text, end)
    if below is None or _DIGEST.fullmatch(below["run"]) or _OTHER_LINE.search(below["line"]):
        return None
    return below.span("run") if _is_drawn(below["run"]) else None


def _is_its_own(text: str, near: re.Match[str], between: str) -> bool:
    start, run = near.start("run"), near["run"].strip(".=-_~")
    # A digest has to stand close to the name, in one clause, and be no sum of a file.
    if _DIGEST.fullmatch(run) and (_CLAUSE.search(between) or _SUMMED.match(text, start)):
        return False
    return _is_drawn(run) and not _OTHER.search(text, max(0, start - _BEFORE), start)


@cache
def _runs() -> QuickSearch:
    return quick_search(
        [
            rf"[A-Za-z0-9_.~-]{{{_LEAST_RUN},}}",
            r"[0-9]{6,12}:[A-Za-z0-9_-]{30,}",
            r"[A-Za-z0-9_+/-]{40,512}={0,2}",
        ]
    )


def _is_token(run: str) -> bool:
    if stands_for_a_value(run) or is_sequence(run):
        return False
    prefixed = _PREFIXED.fullmatch(run)
    labels = set(re.split("[_.~-]", prefixed["labels"].lower())) if prefixed else set[str]()
    if not _NUMBERS.isdisjoint(labels) and _KEY_LABELS.isdisjoint(labels):
        return False
    if is_uuid(run):
        return not _KEY_LABELS.isdisjoint(labels)
    if prefixed and _is_id(run) and _KEY_LABELS.isdisjoint(labels):
        return False
    if prefixed and _is_body(run[prefixed.end("first") :]):
        return True
    return _is_long(run)


def _is_id(run: str) -> bool:
    """Tell whether a run is a number in hex behind a word, as ids are made of."""
    return _SHORT_HEX.fullmatch(run) is not None


def _is_body(body: str) -> bool:
    """Tell whether what stands behind a prefix was drawn."""
    if len(body) < _LEAST_BODY or len(set(body)) <= len("abcdef"):
        return False
    return surprises(body) >= (_SURE if len(body) >= _SHORT_BODY else _SURE_OF_SHORT)


def _is_long(run: str) -> bool:
    """Tell whether a run without a prefix was drawn: it has to be long."""
    if _CAPITALS.fullmatch(run):
        return surprises(run) >= _SURE_OF_SHORT and not _ULID.fullmatch(run)
    if len(run) >= _LONG and _is_mixed(run):
        return surprises(run) >= _VERY_SURE
    return (
        _LONG_OF_ONE_CASE <= len(run) <= _MOST_OF_ONE_CASE
        and run.isalnum()
        and not _HEX.fullmatch(run)
        and surprises(run) >= _VERY_SURE
    )


def _is_drawn(run: str) -> bool:
    # No path, no name of a file, no address.
    if "/" in run and not (len(run) >= _LONG and surprises(run) > _SURE_OF_BASE64):
        return False
    return surprises(run) >= _SURE and not stands_for_a_value(run) and not is_sequence(run)
