"""What a claim is: a rule to keep, a thing to do, a preference, or a fact, told by its words."""

import re
from typing import Final

from pce_memory.domain.claim import MAX_CLAIM_CHARS
from pce_memory.domain.vocabulary import ClaimKind
from pce_memory.extractor.cues import (
    CAPITAL_TASK,
    DONE,
    DONE_MARK,
    NAMED_TASK,
    POLICY,
    PREFERENCE,
    REQUEST,
    TASK,
)
from pce_memory.text.fold import normalized

_FENCES: Final = ("```", "~~~")
# What code says is not what its writer wants.
_QUOTED: Final = re.compile(r"`[^`\n]{1,300}+`|https?://[!-~]{1,2048}+")


def classify_kind(text: str, *, checkbox: bool = False) -> ClaimKind:
    """Return the kind of a claim; what is not clearly something else is a fact.

    >>> [classify_kind(text) for text in ("Never commit secrets.", "I never liked him.")]
    ['policy_hint', 'fact']
    >>> [classify_kind(text) for text in ("金曜日に公開する予定です。", "お茶の方が好きです。")]
    ['task', 'preference']
    >>> classify_kind("buy milk", checkbox=True), classify_kind("[x] buy milk")
    ('task', 'fact')
    """
    said = normalized("NFKC", text[:MAX_CLAIM_CHARS]).replace("’", "'").strip()
    if said.startswith(_FENCES):
        return "task" if checkbox else "fact"
    said = _QUOTED.sub("code", said)
    folded = said.casefold()
    if folded.endswith("?"):
        # A question asks for a rule or a wish; it does not lay one down.
        return "task" if checkbox or REQUEST.search(folded) else "fact"
    if POLICY.search(folded):
        return "policy_hint"
    if checkbox or _is_task(said, folded):
        return "task"
    return "preference" if PREFERENCE.search(folded) else "fact"


def _is_task(said: str, folded: str) -> bool:
    if DONE_MARK.search(folded):
        return False
    if REQUEST.search(folded) or TASK.search(folded):
        return True
    named = CAPITAL_TASK.search(said) or NAMED_TASK.search(folded)
    return named is not None and not DONE.search(folded)
