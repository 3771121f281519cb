"""Rules whose replacements others find: a circle is refused, and any text costs linear time."""

import time
from typing import Final

import pytest

from pce_memory import Memory
from pce_memory.adapters.policy_store import FilePolicyStore
from pce_memory.policy.bases import kept_or_packaged
from pce_memory.policy.redaction import detected_class, redact_for
from pce_memory.policy.source import read_policy

CLASSES: Final = """boundary_classes:
  public: {allow: ["*"]}
  internal: {allow: ["answer:task"]}
  pii: {allow: [], redact: [own, email, phone]}
  secret: {allow: []}
"""


def policy_of(*rules: str, version: str = "1.0.0") -> str:
    return f'version: "{version}"\n{CLASSES}redact_policies: {{own: {{rules: [{", ".join(rules)}]}}}}\n'


def rule(name: str, find: str, replace: str) -> str:
    return f"{{name: {name}, find: '{find}', replace: '{replace}'}}"


def words(name: str, listed: str, replace: str) -> str:
    return f"{{name: {name}, words: [{listed}], replace: '{replace}'}}"


ALICE: Final = (rule("a", "alice", "bob"), rule("b", "bob", "alice"))
CIRCLES: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "two": (ALICE, "'a' -> 'b' -> 'a'"),
    "three": (
        (rule("a", "x1", "x2"), rule("b", "x2", "x3"), rule("c", "x3", "x1")),
        "'a' -> 'b' -> 'c' -> 'a'",
    ),
    "one that grows": ((rule("a", "a", "bb"), rule("b", "b", "aa")), "'a' -> 'b' -> 'a'"),
    "by patterns": ((rule("a", "A-[0-9]+", "B-7"), rule("b", "B-[0-9]+", "A-7")), "'a' -> 'b'"),
    "by words": (
        (words("a", "Sato", "佐藤"), words("b", "佐藤", "Ｓａｔｏ")),
        "'a' -> 'b' -> 'a'",
    ),
    "by a built-in kind": (
        (rule("a", r"\[email\]", "x@example.com"),),
        "'a' -> 'email' -> 'a'",
    ),
    "by secrets": (
        (rule("a", r"\[secret\]", "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"),),
        "'a' -> 'secret' -> 'a'",
    ),
    "behind a rule that is none of it": (
        (rule("lead", "start", "alice"), *ALICE),
        "'a' -> 'b' -> 'a'",
    ),
}


@pytest.mark.parametrize("name", CIRCLES)
def test_a_circle_is_refused(name: str) -> None:
    rules, way = CIRCLES[name]
    told = [one.message for one in read_policy(policy_of(*rules), "p").faults]
    assert len(told) == 1
    assert told[0].startswith(f"other rules lead from this text back to it: {way}")


def test_the_place_of_a_circle_is_the_replacement_of_its_first_rule() -> None:
    told = read_policy(policy_of(*ALICE), "p").faults[0]
    assert told.path == "redact_policies.own.rules[0].replace"


def test_a_circle_over_a_base_is_refused_in_the_file_that_closes_it() -> None:
    base = policy_of(ALICE[0])
    text = 'version: "1.0.0"\nextends: ./base.yaml\nredact_policies: {own: {rules: [%s]}}\n'
    reading = read_policy(text % ALICE[1], "p.yaml", find=kept_or_packaged({"base.yaml": base}))
    assert reading.policy is None
    assert any("back to it: 'a' -> 'b' -> 'a'" in one.message for one in reading.faults)


@pytest.mark.parametrize(
    "rules",
    [
        (rule("a", "alice", "[name]"), rule("b", "bob", "[name]")),
        (rule("a", "alice", "bob"), rule("b", "bob", "carol"), rule("c", "carol", "[name]")),
        (rule("a", r"\[phone\]", "[number]"),),
        (words("a", "佐藤, 健", "[人]"), words("b", "青葉", "[案件]")),
    ],
)
def test_what_leads_nowhere_back_is_taken(rules: tuple[str, ...]) -> None:
    assert read_policy(policy_of(*rules), "p").faults == ()


def test_a_chain_is_followed_to_its_end() -> None:
    chain = (rule("a", "alice", "bob"), rule("b", "bob", "carol"), rule("c", "carol", "[name]"))
    policy = read_policy(policy_of(*chain), "p").policy
    assert policy is not None
    assert redact_for("alice met bob", policy, boundary_class="pii").text == "[name] met [name]"


def test_a_memory_keeps_its_policy_that_was_let_in_before() -> None:
    with Memory.open(embedder="hashing") as memory:
        assert memory.results.apply_policy(policy_of(*ALICE)).failure().code == "INVALID_POLICY"
        _ = memory.apply_policy(policy_of(ALICE[0], version="2.0.0"))
        memory.deps.db.execute(
            "update policies set yaml = $yaml, sha256 = 'of-before' where version = '2.0.0'",
            {"yaml": policy_of(*ALICE, version="2.0.0")},
        ).unwrap()
        store = FilePolicyStore(memory.deps.db, memory.deps.clock)
        assert len(store.get_current().unwrap().redact_policies["own"].rules) == 2


WORST: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "each letter": ((rule("a", "a", "b"), rule("b", "b", "a")), "a"),
    "words": ((words("a", "alice", "bob"), words("b", "bob", "alice")), "alice met bob. "),
    "growth": ((rule("a", "a", "bb"), rule("b", "b", "aa")), "a "),
    "much growth": ((rule("a", "a", "b" * 256), rule("b", "b", "a" * 256)), "a"),
    "no circle by itself": ((rule("a", "x", "y"), rule("b", "yz", "xz")), "xz "),
    "one rule": ((rule("a", "a", "b" * 256),), "a"),
    "as in prose": (ALICE, "Yesterday alice met bob about [email], at ten. 健二も来た。\n"),
}


def cpu_of(text: str, rules: tuple[str, ...]) -> float:
    policy = read_policy(policy_of(*rules), "p", stored=True).policy
    assert policy is not None
    begun = time.process_time()
    shown = redact_for(text, policy, boundary_class="pii").text
    _ = detected_class(text, policy)
    assert len(shown) <= 4 * len(text) + 64 * 1024
    assert redact_for(shown, policy, boundary_class="pii").text == shown
    return time.process_time() - begun


@pytest.mark.parametrize("name", WORST)
def test_the_time_grows_as_the_text_does(name: str) -> None:
    """Also of policies that were let in before, and of what no look at the rules alone tells."""
    rules, piece = WORST[name]
    sizes = (64 * 1024, 256 * 1024)
    short, long = (
        min(cpu_of(piece * (size // len(piece)), rules) for _ in range(2)) for size in sizes
    )
    assert long < 9 * short + 0.1


def test_what_goes_around_is_withheld() -> None:
    policy = read_policy(policy_of(*ALICE), "p", stored=True).policy
    assert policy is not None
    assert redact_for("alice met bob", policy, boundary_class="pii").text == "[secret]"
    assert redact_for("nobody met", policy, boundary_class="pii").text == "nobody met"
