"""The network as an ONNX model of 8-bit integers, made from the weights alone.

Each matrix has one scale a row, and so has each activation while it runs: what a text's vector
becomes does not depend on the texts it is computed with. Weights are kept to 7 bits: processors
without VNNI add pairs of products in 16 bits, which 255 * 63 * 2 fits and 255 * 127 * 2 does not.
The table of words stays as it is, 4 bits and a scale for 32.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final, Protocol, cast

import numpy as np

from pce_memory.adapters.embedders.e5.weights import BLOCK, codes_of, scales_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pce_memory.adapters.embedders.e5.weights import Weights

IDS: Final = "ids"
MASK: Final = "mask"

_MICROSOFT: Final = "com.microsoft"
_OPSET: Final = 18
_IR_VERSION: Final = 9
_EPSILON: Final = 1e-12
_LARGEST_WEIGHT: Final = 63
_LARGEST_ACTIVATION: Final = 127
_ROWS_AT_ONCE: Final = 16_384


class _Model(Protocol):
    def SerializeToString(self, *, deterministic: bool) -> bytes: ...  # noqa: N802 - protobuf's


def model_bytes(weights: Weights) -> bytes:
    """Return the model: `ids` int64 and `mask` int32 of [texts, tokens] to sums of [texts, 384].

    A sum is over the vectors of the tokens whose mask is 1; its direction is that of their mean.
    """
    graph = _Graph(weights)
    state = graph.words()
    for layer in range(weights.shape.layers):
        state = graph.layer(state, f"l{layer}.")
    graph.sums(state)
    return graph.model().SerializeToString(deterministic=True)


class _Graph:
    """Nodes and constants in the making; every method returns the name of its output."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._shape = weights.shape
        self._helper = importlib.import_module("onnx.helper")
        self._arrays = importlib.import_module("onnx.numpy_helper")
        self._types = importlib.import_module("onnx").TensorProto
        self._nodes: list[object] = []
        self._constants: dict[str, object] = {}
        self._quantised: set[str] = set()

    def words(self) -> str:
        """Look up the words and their positions."""
        codes, scales = self._table()
        table = self._constant("words", codes)
        scale = self._constant("words.scale", scales)
        known = {"gather_axis": 0, "quantize_axis": 1, "block_size": BLOCK, "bits": 4}
        word = self._add("GatherBlockQuantized", [table, IDS, scale], "word", **known)
        length = self._add("Shape", [IDS], "length", start=1, end=2)
        first = self._constant("first", np.zeros(1, np.int64))
        rows = [self._constant("places", self._places()), first, length, first]
        place = self._add("Slice", rows, "place")
        both = self._add("Add", [word, place], "placed")
        norm = self._norm("emb.ln")
        return self._add(
            "LayerNormalization", [both, *norm], "embedded", axis=-1, epsilon=_EPSILON
        )

    def layer(self, state: str, at: str) -> str:
        """Attend, then the two dense layers, each added to what came in and normalised."""
        hidden, within = self._shape.hidden, self._shape.inner
        query, key, value = (self._dense(state, f"{at}{part}", hidden) for part in "qkv")
        heads = self._add(
            "MultiHeadAttention",
            [query, key, value, "", MASK],
            f"{at}heads",
            num_heads=self._shape.heads,
        )
        attended = self._residual(self._dense(heads, f"{at}ao", hidden), state, f"{at}aln")
        inner = self._add("Gelu", [self._dense(attended, f"{at}fi", hidden)], f"{at}inner")
        return self._residual(self._dense(inner, f"{at}fo", within), attended, f"{at}oln")

    def sums(self, state: str) -> None:
        """Add up the vectors of the tokens that are no padding."""
        mask = self._add("Cast", [MASK], "mask.float", to=self._types.FLOAT)
        column = self._add("Unsqueeze", [mask, self._last()], "mask.column")
        kept = self._add("Mul", [state, column], "kept")
        tokens = self._constant("tokens", np.ones(1, np.int64))
        _ = self._add("ReduceSum", [kept, tokens], "sums", keepdims=0)

    def model(self) -> _Model:
        """Return what was made so far as a model."""
        value, kinds = self._helper.make_tensor_value_info, self._types
        shape = ["texts", "tokens"]
        graph = self._helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [value(IDS, kinds.INT64, shape), value(MASK, kinds.INT32, shape)],
            [value("sums", kinds.FLOAT, ["texts", self._shape.hidden])],
        )
        opset = self._helper.make_opsetid
        opsets = [opset("", _OPSET), opset(_MICROSOFT, 1)]
        # The versions are named, so that an older onnxruntime reads what a newer onnx wrote.
        made = self._helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION)
        # Each message copies what it is given: 80 MB come in last, and are held once.
        made.graph.initializer.extend(self._constants.values())
        self._constants.clear()
        return cast("_Model", made)

    def _dense(self, state: str, name: str, inputs: int) -> str:
        """Multiply by a matrix of [outputs, inputs] in integers, and add its bias."""
        bias = self._weights.floats(f"{name}.b")
        codes, scales = _quantised(self._weights.matrix(f"{name}.w", inputs))
        operands = [
            self._activation(state),
            self._constant(f"{name}.w", codes.T),
            self._constant("one", np.float32(1)),
            self._constant(f"{name}.scale", scales),
            self._constant("middle", np.uint8(128)),
        ]
        product = self._add("MatMulIntegerToFloat", operands, f"{name}.product")
        scaled = self._add("Mul", [product, f"{state}.scale"], f"{name}.scaled")
        return self._add("Add", [scaled, self._constant(f"{name}.b", bias)], f"{name}.out")

    def _activation(self, state: str) -> str:
        """Round each row to integers around 128, by a scale of its own: `state.scale`."""
        codes = f"{state}.codes"
        if codes in self._quantised:
            return codes
        self._quantised.add(codes)
        sizes = self._add("Abs", [state], f"{state}.sizes")
        widest = self._add("ReduceMax", [sizes, self._last()], f"{state}.widest", keepdims=1)
        least = self._constant("least", np.float32(_EPSILON))
        above_zero = self._add("Max", [widest, least], f"{state}.above_zero")
        largest = self._constant("largest", np.float32(_LARGEST_ACTIVATION))
        scale = self._add("Div", [above_zero, largest], f"{state}.scale")
        steps = self._add("Div", [state, scale], f"{state}.steps")
        one = self._constant("one", np.float32(1))
        middle = self._constant("middle", np.uint8(128))
        return self._add("QuantizeLinear", [steps, one, middle], codes)

    def _residual(self, state: str, before: str, name: str) -> str:
        inputs = [state, before, *self._norm(name)]
        return self._add("SkipLayerNormalization", inputs, f"{name}.out", epsilon=_EPSILON)

    def _norm(self, name: str) -> list[str]:
        parts = (f"{name}.w", f"{name}.b")
        return [self._constant(part, self._weights.floats(part)) for part in parts]

    def _last(self) -> str:
        return self._constant("last", np.array([-1], np.int64))

    def _places(self) -> NDArray[np.float32]:
        """Return the vectors of the positions, with that of the one kind of tokens added."""
        hidden = self._shape.hidden
        kind = self._weights.floats("emb.type")[:hidden]
        return self._weights.floats("emb.pos").reshape(-1, hidden) + kind

    def _table(self) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """Return the codes of the words, two in a byte, and their scales."""
        blocks = self._weights.blocks("emb.word", self._shape.hidden)
        packed = np.empty((len(blocks), self._shape.hidden // 2), np.uint8)
        for start in range(0, len(blocks), _ROWS_AT_ONCE):
            codes = codes_of(blocks[start : start + _ROWS_AT_ONCE])
            packed[start : start + _ROWS_AT_ONCE] = codes[:, ::2] | codes[:, 1::2] << 4
        return packed, scales_of(blocks)

    def _constant(self, name: str, value: NDArray[np.generic] | np.generic) -> str:
        if name not in self._constants:
            array = np.array(value, order="C")
            self._constants[name] = self._arrays.from_array(array, name)
        return name

    def _add(self, kind: str, inputs: Sequence[str], output: str, **attributes: object) -> str:
        domain = _MICROSOFT if kind in _CONTRIBUTED else ""
        node = self._helper.make_node(kind, inputs, [output], domain=domain, **attributes)
        self._nodes.append(node)
        return output


_CONTRIBUTED: Final = frozenset(
    {
        "GatherBlockQuantized",
        "Gelu",
        "MatMulIntegerToFloat",
        "MultiHeadAttention",
        "SkipLayerNormalization",
    }
)


def _quantised(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return whole numbers and, for each row, the scale that makes weights of them again."""
    widest = np.abs(matrix).max(axis=1)
    scales = np.where(widest > 0, widest, 1).astype(np.float32) / np.float32(_LARGEST_WEIGHT)
    return np.rint(matrix / scales[:, None]).astype(np.int8), scales
