"""Policies that tests put in force."""

from typing import Final

from pce_memory.resources import resource

_DEFAULT: Final = (resource("policies") / "default.yaml").read_text("utf-8")

LASTING: Final = (
    _DEFAULT.replace('version: "0.0.0-default"', 'version: "1.0.1"')
    .replace("ttl: 7d", "ttl: inf")
    .replace("ttl: 120d", "ttl: inf")
    .replace("escalation: human_review", "escalation: null")
)
"""The default policy, but nothing expires and nothing waits for a human."""

REDACTING: Final = (
    LASTING.replace('version: "1.0.1"', 'version: "1.0.2"')
    .replace(
        "redact_policies: {}",
        "redact_policies: {lamps: {rules: [{name: lamp, words: [lamp], replace: '[thing]'}]}}",
    )
    .replace(
        """allow: ["*"]
    redact: null""",
        """allow: ["*"]
    redact: [lamp]""",
    )
)
"""The same, but lamps are not spoken of."""

_OFF: Final = "enabled: false\n    max_expansions: 5"


def expanding(text: str = LASTING, **keys: object) -> str:
    """Return a policy that expands queries; `keys` are those of its query_expansion."""
    assert _OFF in text
    values = {"enabled": True, "max_expansions": 5, **keys}
    told = {name: str(value).lower() for name, value in values.items()}
    done = text
    for name in ("include_synonyms", "include_related"):
        done = done.replace(f"{name}: true", f"{name}: {told.get(name, 'true')}")
    done = done.replace("    weight: 0.4", f"    weight: {told.get('weight', '0.4')}")
    return done.replace(
        _OFF, f"enabled: {told['enabled']}\n    max_expansions: {told['max_expansions']}"
    )
