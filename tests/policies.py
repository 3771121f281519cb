"""Policies that tests put in force."""

from typing import Final

from pce_memory.resources import resource

_DEFAULT: Final = (resource("policies") / "default.yaml").read_text("utf-8")

LASTING: Final = (
    _DEFAULT.replace('version: "1.0.0"', 'version: "1.0.1"')
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
