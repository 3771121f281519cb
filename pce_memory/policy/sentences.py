"""What each key of a policy means, in the words of a sentence about its change."""

import json
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias, cast

from pce_memory.domain.boundary import InvariantDefinition
from pce_memory.domain.policy import RedactPolicy, seconds
from pce_memory.domain.vocabulary import SCOPES
from pce_memory.policy.strictness import Change, Path, deeds, matching, scopes_of

Sentence: TypeAlias = Callable[[Change], str]

_UNITS: Final = {"s": "second", "m": "minute", "h": "hour", "d": "day", "w": "week"}


def said(change: Change) -> str:
    """Return a sentence on a change; a key that has none of its own is told by its path."""
    sentence = matching(_SENTENCES, change.path)
    return sentence(change) if sentence else _plainly(".".join(change.path), change)


def _lives(words: str) -> Sentence:
    """Return the sentence of a duration: `words` have a place for it."""

    def sentence(change: Change) -> str:
        was, now = str(change.before), str(change.after)
        if seconds(was) == seconds(now):
            return words.format(_time(now), *change.path) + f", which is {_time(was)} as before"
        if was[-1] == now[-1] and "inf" not in {was, now}:
            return words.format(_time(now), *change.path) + f" instead of {was[:-1]}"
        return words.format(_time(now), *change.path) + f" instead of {_time(was)}"

    return sentence


def _time(ttl: str) -> str:
    if ttl == "inf":
        return "without end"
    unit = _UNITS[ttl[-1]]
    return f"{ttl[:-1]} {unit if ttl[:-1] == '1' else unit + 's'}"


def _counts(words: str, unit: str) -> Sentence:
    """Return the sentence of a limit; null is none."""

    def sentence(change: Change) -> str:
        now = "any number of" if change.after is None else f"at most {change.after}"
        was = "any number" if change.before is None else change.before
        return f"{words.format(*change.path)} {now} {unit} instead of {was}"

    return sentence


def _chooses(words: str, choices: Mapping[object, str]) -> Sentence:
    return lambda change: words.format(choices[change.after], choices[change.before], *change.path)


def _numbers(words: str, skip: int) -> Sentence:
    """Return the sentence of a number that ranks: its name and both values."""
    return lambda change: _plainly(f"{words}: {'.'.join(change.path[skip:])}", change)


def _plainly(what: str, change: Change) -> str:
    return f"{what} {_value(change.before)} → {_value(change.after)}"


def _value(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)


def _extends(change: Change) -> str:
    if change.after is None:
        return f"it no longer extends {change.before}"
    before = f" instead of {change.before}" if change.before else ""
    return f"it extends {change.after}{before}"


def _relax(change: Change) -> str:
    path = change.path[1]
    if change.before is None:
        return f"it gives a reason for relaxing {path}: {change.after}"
    if change.after is None:
        return f"it no longer gives a reason for relaxing {path}"
    return f"its reason for relaxing {path} is now: {change.after}"


def _tests(change: Change) -> str:
    was, now = (
        len(cast("tuple[object, ...]", one or ())) for one in (change.before, change.after)
    )
    return f"its tests are {now} instead of {was}" if was != now else "its tests read otherwise"


def _invariant(change: Change) -> str:
    name, before, after = change.path[1], change.before, change.after
    if not isinstance(after, InvariantDefinition):
        return f"rule {name} no longer holds"
    if not isinstance(before, InvariantDefinition):
        return f"rule {name} is new and holds in {_listed(after)}: {after.rule}"
    was, now = scopes_of(before), scopes_of(after)
    parts = (
        [f"now reads {after.rule} instead of {before.rule}"] if before.rule != after.rule else []
    )
    parts += [f"now holds in {scope} too" for scope in SCOPES if scope in now - was]
    parts += [f"no longer holds in {scope}" for scope in SCOPES if scope in was - now]
    told = " and ".join(parts) or "names its scopes otherwise, and holds where it did"
    return f"rule {name} {told}"


def _listed(invariant: InvariantDefinition) -> str:
    scopes = [scope for scope in SCOPES if scope in scopes_of(invariant)]
    return " and ".join((", ".join(scopes[:-1]), scopes[-1])) if scopes[1:] else "".join(scopes)


def _redact_policy(change: Change) -> str:
    name, before, after = change.path[1], change.before, change.after
    if not isinstance(before, RedactPolicy) or not isinstance(after, RedactPolicy):
        return f"redact policy {name} is {'gone' if after is None else 'new'}"
    was, now = ([deeds(rule) for rule in one.rules] for one in (before, after))
    new = {str(rule["name"]) for rule in now if rule not in was}
    gone = {str(rule["name"]) for rule in was if rule not in now}
    parts = [f"has another rule {one}" for one in sorted(new & gone)]
    parts += [f"has a new rule {one}" for one in sorted(new - gone)]
    parts += [f"lost its rule {one}" for one in sorted(gone - new)]
    otherwise = "has other examples" if was == now else "applies its rules in another order"
    return f"redact policy {name} {' and '.join(parts) or otherwise}"


_KEPT: Final[Mapping[object, str]] = {
    "raw": "the text as it is",
    "redact": "the redacted text",
    "digest_only": "only a digest",
}
_FATE: Final[Mapping[object, str]] = {
    None: "kept",
    "human_review": "held for a review",
    "deny": "refused",
}

_SENTENCES: Final[Mapping[Path, Sentence]] = {
    ("version",): lambda change: f"the version is {change.after} instead of {change.before}",
    ("meta", "*"): _numbers("meta", 1),
    ("extends",): _extends,
    ("relax", "*"): _relax,
    ("tests",): _tests,
    ("scopes", "*", "ttl"): _lives("{2} claims live {0}"),
    ("scopes", "*", "max_tokens"): _counts("an activation over {1} carries", "tokens"),
    ("boundary_classes", "secret", "escalation"): _chooses(
        "new claims of secret would be {0} instead of {1}; they are refused all the same", _FATE
    ),
    ("boundary_classes", "*", "escalation"): _chooses(
        "new claims of {3} are {0} instead of {1}", _FATE
    ),
    ("invariants",): lambda _: "the rules stand in another order",
    ("invariants", "*"): _invariant,
    ("redact_policies",): lambda _: "the redact policies stand in another order",
    ("redact_policies", "*", "rules"): _redact_policy,
    ("extraction", "store_mode"): _chooses("of an observation {0} is kept instead of {1}", _KEPT),
    ("extraction", "on_secret"): _chooses(
        "a text with a secret is {0} instead of {1}", {"redact": "redacted", "deny": "refused"}
    ),
    ("extraction", "max_bytes"): _counts("an observation has", "bytes"),
    ("extraction", "max_claims"): _counts("an observation gives", "claims"),
    ("extraction", "observation_ttl"): _lives("an observation's own text is kept {0}"),
    ("retrieval", "context_ttl"): _lives("an active context lives at most {0}"),
    ("retrieval", "hybrid", "*"): _numbers("ranking", 2),
    ("retrieval", "*"): _numbers("ranking", 1),
    ("retrieval", "rerank", "*"): _numbers("ranking", 2),
    ("retrieval", "rerank", "recency", "*", "*"): _numbers("ranking", 3),
    ("retrieval", "reranker", "enabled"): _chooses(
        "a reranker of the host's is {0} instead of {1}",
        {True: "given the texts that are found", False: "not asked"},
    ),
    ("retrieval", "reranker", "*"): _numbers("ranking", 1),
    ("retrieval", "crag", "*"): _numbers("ranking", 1),
    ("critic", "deltas", "*", "*"): _numbers("feedback", 2),
    ("critic", "*"): _numbers("feedback", 1),
    ("refinement", "*"): _numbers("scores", 1),
    ("review", "deadline"): _lives("a claim that waits is overdue after {0}"),
    ("retention", "audit"): _lives("audit records are kept {0}"),
    ("retention", "erasures"): _lives("digests of what was erased are kept {0}"),
    ("retention", "events"): _lives("events are kept {0}"),
    ("retention", "most_events"): _counts("the file keeps", "events"),
    ("limits", "query_bytes"): _counts("a query has", "bytes"),
}
