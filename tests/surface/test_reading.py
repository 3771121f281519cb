"""Files into observations: encodings, times, faults by line, long texts, files read twice."""

import codecs
import errno
import io
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, strategies as st

from pce_memory import Memory, MemoryFault
from pce_memory.errors import InvalidParameter
from pce_memory.surface.cutting import cut
from pce_memory.surface.decoding import BLOCK
from pce_memory.surface.ingest import Report, ingest, observe_pieces
from pce_memory.surface.reading import (
    PART_BYTES,
    Limits,
    Piece,
    Reading,
    Source,
    name_of,
    read,
    read_bytes,
)
from pce_memory.surface.transcripts import epoch_seconds, turn_of

LIMITS = Limits(max_bytes=1 << 20, max_claims=20_000)
KEY = "sk-proj-" + "FAKEtest0000" * 3


def transcript(*turns: object) -> Reading:
    return read_bytes("\n".join(map(json.dumps, turns)).encode(), "chat.jsonl", LIMITS)


def contents(reading: Reading) -> list[str]:
    return [piece.item.content for piece in reading.pieces]


def messages(reading: Reading) -> list[str]:
    return [fault.message for fault in reading.faults]


def observed(memory: Memory, reading: Reading) -> Report:
    report = Report()
    report.read(reading)
    for piece, outcome in observe_pieces(memory, reading.pieces, lambda _: None):
        report.add(piece, outcome)
    return report


class TestTexts:
    def test_a_file_is_one_observation(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "notes.md").write_text("# Tea\nHojicha, please.\n", "utf-8")
        (piece,) = read("notes.md", LIMITS).pieces
        assert piece.item.content == "# Tea\nHojicha, please.\n"
        assert (piece.item.source_type, piece.item.source_id) == ("file", "notes.md")
        assert piece.item.observed_at is None

    @pytest.mark.parametrize(
        "raw",
        [
            "お茶\r\nplease\r".encode(),
            codecs.BOM_UTF8 + "お茶\nplease\n".encode(),
            codecs.BOM_UTF16_LE + "お茶\r\nplease\n".encode("utf-16-le"),
            codecs.BOM_UTF16_BE + "お茶\nplease\n".encode("utf-16-be"),
            codecs.BOM_UTF32_LE + "お茶\nplease\n".encode("utf-32-le"),
        ],
    )
    def test_encodings_and_line_ends_are_told_apart(self, raw: bytes):
        assert contents(read_bytes(raw, "a.txt", LIMITS, transcript=False)) == ["お茶\nplease\n"]

    @pytest.mark.parametrize(
        ("raw", "message"),
        [
            (
                "茶".encode("shift_jis"),
                "Invalid a.txt: byte 0 (0x92) is not UTF-8; save the file as UTF-8",
            ),
            (
                codecs.BOM_UTF8 + b"ab\xff",
                "Invalid a.txt: byte 5 (0xff) is not UTF-8; save the file as UTF-8",
            ),
            (
                codecs.BOM_UTF16_LE + b"a\0b",
                "Invalid a.txt: byte 4 (0x62) is not UTF-16-LE; save the file as UTF-8",
            ),
            (b" \n\t\n", "Invalid a.txt: it is empty"),
        ],
    )
    def test_what_cannot_be_read_is_named(self, raw: bytes, message: str):
        assert messages(read_bytes(raw, "a.txt", LIMITS, transcript=False)) == [message]

    def test_a_path_that_is_no_file_is_named(self, tmp_path: Path):
        hint = "; name a file, or - for the standard input"
        assert messages(read(str(tmp_path), LIMITS)) == [
            f"Invalid {tmp_path.name}: it is a directory, not a regular file{hint}"
        ]
        assert messages(read("missing.txt", LIMITS)) == [
            "Invalid missing.txt: there is no such file"
        ]
        assert messages(read("a\0b", LIMITS)) == [
            "Invalid a\0b: it cannot be read (its name is no file name)"
        ]

    def test_a_name_has_no_folder_of_the_machine(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.chdir(tmp_path)
        assert name_of(str(tmp_path / "a" / "b.md")) == "a/b.md"
        assert name_of("a/../b.md") == "b.md"


class TestTranscripts:
    def test_a_line_is_an_observation(self):
        reading = transcript(
            {"role": "user", "content": "Hi", "timestamp": "2026-03-02T09:00:00+09:00"},
            {"speaker": "Ann", "text": "Hello", "date": "2026-03-02"},
            {"role": "user", "name": "mika", "content": [{"type": "text", "text": "a"}, "b"]},
            {"role": "tool", "content": "48 passed"},
        )
        items = [piece.item for piece in reading.pieces]
        assert [(one.actor, one.content, one.source_type) for one in items] == [
            ("user", "Hi", "chat"),
            ("Ann", "Hello", "chat"),
            ("mika", "a\nb", "chat"),
            ("tool", "48 passed", "tool"),
        ]
        assert [one.observed_at for one in items[:2]] == [1_772_409_600.0, 1_772_409_600.0]
        assert [one.source_id for one in items] == [f"chat.jsonl:{n}" for n in (1, 2, 3, 4)]

    def test_a_turn_without_text_is_counted(self):
        picture = [{"type": "image_url", "image_url": "x"}]
        reading = transcript(
            {"role": "assistant", "content": None},
            {"role": "assistant", "content": "  "},
            {"role": "user", "content": picture},
        )
        assert (reading.pieces, reading.faults, reading.empty) == ((), (), 3)

    def test_a_bad_line_is_named_and_stops_nothing(self):
        good = '{"role": "user", "content": "kept %d"}'
        lines = [good % 1, "{oops", "[1]", '{"role": "user"}', '{"content": 3}', "", good % 2]
        lines += [
            '{"content": "x", "timestamp": "tomorrow"}',
            '{"content": "x", "timestamp": NaN}',
        ]
        lines += [
            '{"content": "x", "timestamp": -5}',
            '{"content": "x", "name": ""}',
            "[" * 100_000,
        ]
        reading = read_bytes("\n".join(lines).encode(), "c.jsonl", LIMITS)
        assert contents(reading) == ["kept 1", "kept 2", "x"]
        assert [message.split(": ")[0] for message in messages(reading)] == [
            f"Invalid c.jsonl:{number}" for number in (2, 3, 4, 5, 8, 9, 10, 12)
        ]
        assert "it is not JSON (Expecting property name" in messages(reading)[0]
        assert messages(reading)[4].endswith("such as 2026-01-31T09:30:00Z, or epoch seconds")
        assert "observed_at: Input should be greater than or equal to 0" in messages(reading)[6]

    def test_a_line_that_is_not_utf8_is_named_and_stops_nothing(self):
        raw = codecs.BOM_UTF8 + b'{"content": "a"}\r\n{"content": "\xff"}\n{"content": "b"}\n'
        reading = read_bytes(raw, "c.jsonl", LIMITS)
        assert contents(reading) == ["a", "b"]
        assert messages(reading) == [
            "Invalid c.jsonl:2: byte 34 (0xff) is not UTF-8; save the file as UTF-8"
        ]
        assert raw[34] == 0xFF

    def test_a_line_separator_in_a_text_ends_no_line(self):
        raw = '{"content": "a\u2028b"}\n'.encode()
        assert contents(read_bytes(raw, "c.jsonl", LIMITS)) == ["a\u2028b"]

    def test_utf16_is_read(self):
        raw = codecs.BOM_UTF16_LE + '{"content": "茶"}\r\n{"content": "x"}'.encode("utf-16-le")
        assert contents(read_bytes(raw, "c.jsonl", LIMITS)) == ["茶", "x"]
        assert len(read_bytes(raw[:-1], "c.jsonl", LIMITS).faults) == 1

    def test_a_source_type_can_be_set_for_all(self):
        turn = turn_of('{"role": "tool", "content": "x"}', "a:1", source_type="http").unwrap()
        assert turn is not None
        assert turn.source_type == "http"


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ("2026-03-02T09:00:00", 1_772_442_000.0),  # without a zone: UTC
        ("2026-03-02T09:00:00Z", 1_772_442_000.0),
        ("2026-03-02T18:00:00+09:00", 1_772_442_000.0),
        ("2026-03-02 09:00:00.123456Z", 1_772_442_000.123456),
        ("2026-03-29T02:30:00+01:00", 1_774_747_800.0),  # an hour that Berlin skips
        ("0001-01-01T00:00:00+09:00", -62_135_629_200.0),
        ("9999-12-31T23:59:59Z", 253_402_300_799.0),
        (1_772_442_000, 1_772_442_000.0),
        (1_772_442_000_123, 1_772_442_000.123),
        ("1772442000.5", 1_772_442_000.5),
        (True, None),
        (float("nan"), None),
        (10**400, None),
        ("1e999", None),
        ("yesterday", None),
        ({}, None),
    ],
)
def test_times(given: object, seconds: float | None):
    assert epoch_seconds(given) == seconds


class TestTwice:
    def test_the_same_file_adds_nothing(self, memory: Memory):
        reading = transcript(
            *({"role": "user", "content": f"Fact number {n} holds."} for n in range(70))
        )
        first, again = observed(memory, reading), observed(memory, reading)
        assert (first.observed, first.replayed, first.created) == (70, 0, 70)
        assert (again.observed, again.replayed, again.created) == (0, 70, 0)

    def test_a_transcript_that_has_grown_adds_what_is_new(self, memory: Memory):
        turns = [{"role": "user", "content": f"Fact number {n} holds."} for n in range(4)]
        observed(memory, transcript(*turns[1:3]))
        again = observed(memory, transcript(*turns))
        assert (again.observed, again.replayed) == (2, 2)

    def test_the_same_words_twice_are_two_observations_and_one_claim(self, memory: Memory):
        turn = {"role": "user", "content": "The launch is on Friday."}
        report = observed(memory, transcript(turn, turn))
        assert (report.observed, report.created, report.merged) == (2, 1, 1)

    def test_a_piece_that_cannot_be_taken_is_named_and_stops_nothing(self, memory: Memory):
        reading = transcript(
            {"content": "The first one is kept."},
            {"content": "A lone \ud800 surrogate."},
            {"content": "NUL \0 inside."},
            {"content": "The last one is kept."},
        )
        report = observed(memory, reading)
        assert report.observed == 2
        assert [fault.message.split(": ")[0] for fault in report.faults] == [
            "Invalid chat.jsonl:2",
            "Invalid chat.jsonl:3",
        ]

    def test_what_the_memory_refuses_ends_the_run(self, memory_at: Callable[..., Memory]):
        memory_at().close()
        with pytest.raises(MemoryFault) as fault:
            observed(memory_at(read_only=True), transcript({"content": "The tea is hot."}))
        assert fault.value.error.code == "READ_ONLY"


class TestLongTexts:
    def test_sections_stay_together(self):
        text = "# A\n" + "one. " * 10 + "\n\ntwo\n# B\n" + "three. " * 10 + "\n"
        parts = cut(text, max_bytes=80, max_claims=100)
        assert [part.text[:3] for part in parts] == ["# A", "# B"]
        assert [part.line for part in parts] == [1, 5]

    def test_a_text_with_too_many_lines_is_cut(self):
        parts = cut("line\n" * 50, max_bytes=1 << 20, max_claims=20)
        assert all(part.text.count("\n") <= 20 for part in parts)
        assert "".join(part.text for part in parts) == "line\n" * 50

    def test_a_cut_goes_through_no_key(self):
        text = "a" * 20 + " " + KEY + " " + "b" * 20
        parts = cut(text, max_bytes=45, max_claims=100)
        assert sum(KEY in part.text for part in parts) == 1
        assert "".join(part.text for part in parts) == text

    def test_a_key_longer_than_a_part_is_left_whole_to_be_refused(self):
        text = "see " + KEY + " there"
        assert KEY in [part.text.strip() for part in cut(text, max_bytes=10, max_claims=100)]

    def test_the_parts_are_observations_with_their_line(self):
        small = Limits(max_bytes=40, max_claims=100)
        raw = b"# One\n\nThe tea is hot.\n\n# Two\n\nThe coffee is cold.\n"
        pieces = read_bytes(raw, "n.md", small, transcript=False).pieces
        assert [piece.place for piece in pieces] == ["n.md:1", "n.md:5"]
        assert len({piece.item.idempotency_key for piece in pieces}) == 2

    @given(
        text=st.text(st.sampled_from("ab.。 \n#茶🍵"), max_size=200),
        max_bytes=st.integers(4, 60),
        max_claims=st.integers(1, 10),
    )
    def test_nothing_is_lost_and_no_part_is_too_long(
        self, text: str, max_bytes: int, max_claims: int
    ):
        parts = cut(text, max_bytes=max_bytes, max_claims=max_claims)
        kept = "".join(part.text for part in parts)
        assert "".join(kept.split()) == "".join(text.split())
        assert all(len(part.text.encode()) <= max_bytes for part in parts)


class Once(io.BytesIO):
    """A file that counts how much of it is asked for at a time."""

    most = 0

    def read(self, size: int | None = -1, /) -> bytes:
        raw = super().read(size)
        self.most = max(self.most, len(raw))
        return raw


def source_of(raw: bytes, name: str = "n.md", *, transcript: bool = False) -> Source:
    return Source(name, Once(raw), transcript, len(raw))


PROSE = "".join(
    f"{'## Section' if n % 40 == 0 else 'The lamp'} {n} hangs in the hall"
    f"{', and nobody has mended it since' * 6}. 照明{n}を直す。\n\n"
    for n in range(1_500)
)


class TestLargeFiles:
    def test_no_more_is_held_of_a_longer_file(self):
        held: list[int] = []
        for times in (2, 6):
            source = source_of(PROSE.encode() * times)
            tracemalloc.start()
            try:
                parts = sum(1 for _ in source.entries(LIMITS))
                held.append(tracemalloc.get_traced_memory()[1])
            finally:
                tracemalloc.stop()
            assert parts >= source.size // PART_BYTES
            assert cast("Once", source.file).most <= BLOCK
        assert held[1] < 1.2 * held[0]

    def test_the_first_parts_are_stored_before_the_last_are_read(
        self, memory: Memory, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr("pce_memory.engine.many.BATCH_CHARS", 1 << 15)
        source, done = source_of(PROSE.encode()), list[tuple[int, int]]()

        def advance(read: int) -> None:
            done.append((read, memory.health().claims["active"]))

        small = Limits(max_bytes=1 << 14, max_claims=20_000)
        ingest(memory, source, small, Report(), advance)
        assert done[0][0] < source.size
        assert 0 < done[0][1] < done[-1][1]
        assert done == sorted(done)
        assert done[-1][0] == source.size

    def test_what_was_broken_off_goes_on_where_it_was(
        self, memory: Memory, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr("pce_memory.engine.many.BATCH_CHARS", 1 << 16)
        raw = PROSE[: 1 << 18].encode()

        def stopped(_: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            ingest(memory, source_of(raw), LIMITS, Report(), stopped)
        first, again = Report(), Report()
        ingest(memory, source_of(raw), LIMITS, first, lambda _: None)
        ingest(memory, source_of(raw), LIMITS, again, lambda _: None)
        assert first.replayed > 0
        assert first.observed > 0
        assert (again.observed, again.replayed) == (0, first.observed + first.replayed)

    @pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF16_LE, codecs.BOM_UTF32_BE])
    def test_blocks_join_to_the_text(self, mark: bytes):
        encoding = {b"": "utf-8", codecs.BOM_UTF16_LE: "utf-16-le"}.get(mark, "utf-32-be")
        text = "お茶🍵を飲む。\r\n" * 15_000
        joined = "".join(contents(_all(source_of(mark + text.encode(encoding)))))
        assert joined == text.replace("\r\n", "\n")

    def test_one_line_without_an_end_is_cut(self):
        pieces = contents(_all(source_of(("電" * 100_000).encode())))
        assert "".join(pieces) == "電" * 100_000
        assert all(len(one.encode()) <= PART_BYTES for one in pieces)

    def test_a_bad_byte_far_behind_refuses_the_whole_file(self):
        raw = PROSE.encode() + b"\xff" + PROSE.encode()
        reading = _all(source_of(raw))
        assert reading.pieces == ()
        assert messages(reading) == [
            f"Invalid n.md: byte {len(PROSE.encode())} (0xff) is not UTF-8; save the file as UTF-8"
        ]

    @pytest.mark.parametrize(
        "secret",
        [
            KEY,
            "-----BEGIN PRIVATE KEY-----\n"
            + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n" * 400
            + "-----END PRIVATE KEY-----",
        ],
    )
    @pytest.mark.parametrize("shift", [0, 1, 40, 9_000])
    def test_a_cut_goes_through_no_secret_wherever_it_falls(self, secret: str, shift: int):
        said = "The lamp hangs in the hall and is red.\n" * (PART_BYTES // 39)
        text = said[: len(said) - shift] + secret + "\n" + said * 3
        pieces = contents(_all(source_of(text.encode())))
        assert "".join(pieces) == text
        assert sum(secret in one for one in pieces) == 1

    def test_a_cut_goes_through_no_code_between_fences(self):
        said = "The lamp hangs in the hall.\n\n" * 2_200
        code = "```python\n" + "# no heading\nlamp = 1\n\n" * 400 + "```\n"
        pieces = contents(_all(source_of((said + code + said).encode())))
        assert "".join(pieces) == said + code + said
        assert sum(code in one for one in pieces) == 1

    def test_a_nul_is_refused_with_its_part_and_the_rest_is_kept(self, memory: Memory):
        raw = (PROSE[: 1 << 17] + "\0" + PROSE[: 1 << 17]).encode()
        report = Report()
        ingest(memory, source_of(raw), LIMITS, report, lambda _: None)
        assert len(report.faults) == 1
        assert "it has a NUL or a lone surrogate" in report.faults[0].message
        assert report.observed >= 1

    def test_a_file_that_is_written_meanwhile_is_read_up_to_its_fault(self):
        class Changed(io.BytesIO):
            def seek(self, at: int, whence: int = 0, /) -> int:
                if self.tell() > 0:
                    self.getbuffer()[-3:-1] = b"\xff\xff"
                return super().seek(at, whence)

        raw = PROSE[:100_000].encode()
        reading = _all(Source("n.md", Changed(raw), transcript=False, size=len(raw)))
        assert messages(reading)[0].startswith(f"Invalid n.md: byte {len(raw) - 3} (0xff)")

    def test_a_disk_that_fails_is_named(self):
        class Failing(io.BytesIO):
            def read(self, _size: int | None = -1, /) -> bytes:
                raise OSError(errno.EIO, "said by the system")

        reading = _all(Source("n.md", Failing(b"x"), transcript=False, size=1))
        assert messages(reading) == ["Invalid n.md: it cannot be read (Input/output error)"]

    def test_a_line_of_a_transcript_that_is_too_long_is_named_and_stops_nothing(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr("pce_memory.surface.decoding.LONGEST_LINE", 100)
        lines = [json.dumps({"content": text}) for text in ("a lamp", "x" * 1_000_000, "a hall")]
        reading = read_bytes("\n".join(lines).encode(), "c.jsonl", LIMITS)
        assert contents(reading) == ["a lamp", "a hall"]
        assert messages(reading) == ["Invalid c.jsonl:2: it is longer than 100 bytes; split it"]
        assert [piece.place for piece in reading.pieces] == ["c.jsonl:1", "c.jsonl:3"]


def _all(source: Source) -> Reading:
    entries = list(source.entries(LIMITS))
    return Reading(
        source.name,
        tuple(one for one in entries if isinstance(one, Piece)),
        tuple(one for one in entries if isinstance(one, InvalidParameter)),
    )
