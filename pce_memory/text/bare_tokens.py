"""Find tokens that stand in prose: drawn at random, behind a prefix or soon behind their name."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from pce_memory.text.fold import Span
from pce_memory.text.placeholders import stands_for_a_value
from pce_memory.text.quick_search import QuickSearch, quick_search
from pce_memory.text.randomness import is_sequence, is_uuid, surprises

# A prefix of one to three labels, and what was drawn.
_PREFIXED: Final = re.compile(
    r"(?P<prefix>[A-Za-z][A-Za-z0-9]{0,11}(?:[_.-][A-Za-z][A-Za-z0-9]{0,9}){0,2}[_.~-])"
    r"(?P<body>[A-Za-z0-9_.-]*[A-Za-z0-9])"
)
_LEAST_BODY: Final = 20
_SURE: Final = 3
# Without a prefix it has to be long, and of letters of both cases and digits.
_LONG: Final = 36
_VERY_SURE: Final = 8
_BASE64: Final = re.compile(r"[A-Za-z0-9_+/=-]{1,4096}")
_SURE_OF_BASE64: Final = 8
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
    run = text[start:end].rstrip("_-.=~")
    following = text[start + len(run) : start + len(run) + 1]
    return start + len(run) if following not in {"@", "("} and _is_token(run) else 0


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


def _is_its_own(text: str, near: re.Match[str], between: str) -> bool:
    start, run = near.start("run"), near["run"].strip(".=-_~")
    # A digest has to stand close to the name, in one clause, and be no sum of a file.
    if _DIGEST.fullmatch(run) and (_CLAUSE.search(between) or _SUMMED.match(text, start)):
        return False
    return _is_drawn(run) and not _OTHER.search(text, max(0, start - _BEFORE), start)


@cache
def _runs() -> QuickSearch:
    return quick_search([rf"[A-Za-z0-9_.~-]{{{_LEAST_BODY},}}"])


def _is_token(run: str) -> bool:
    if stands_for_a_value(run) or is_sequence(run):
        return False
    found = _PREFIXED.fullmatch(run)
    labels = set(re.split("[_.~-]", found["prefix"].lower())) if found else set[str]()
    if not _NUMBERS.isdisjoint(labels) and _KEY_LABELS.isdisjoint(labels):
        return False
    if is_uuid(run):
        return not _KEY_LABELS.isdisjoint(labels)
    if found and len(found["body"]) >= _LEAST_BODY and surprises(found["body"]) >= _SURE:
        return len(set(found["body"])) > len("abcdef")
    return len(run) >= _LONG and _is_mixed(run) and surprises(run) >= _VERY_SURE


def _is_drawn(run: str) -> bool:
    # No path, no name of a file, no address.
    if "/" in run and not (len(run) >= _LONG and surprises(run) > _SURE_OF_BASE64):
        return False
    return surprises(run) >= _SURE and not stands_for_a_value(run) and not is_sequence(run)
