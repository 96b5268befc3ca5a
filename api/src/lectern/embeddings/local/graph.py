"""Build multilingual-e5-small as an ONNX graph: a 12-layer BERT encoder, mean pooling, unit length.

Matrices become int8 with one scale per output. Activations are quantised dynamically at run time. Word embeddings stay
in their 4 bits.
"""

import shutil
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from lectern.embeddings.local.source import E5Source

Precision = Literal["int8", "float32"]
OUTPUT: Final = "sentence_embedding"
_MICROSOFT: Final = "com.microsoft"
# Seven bits: without VNNI, sums of two byte products are stored in 16 bits, and a full int8 would saturate them.
_MAX_WEIGHT: Final = 63
_PAGE_BYTES: Final = 4096  # smaller tensors stay in the model's file


def write_model(source: E5Source, path: Path, *, precision: Precision = "int8") -> None:
    """Write the model: int64 `input_ids`, `attention_mask` (batch, length) -> float32 (batch, 384).

    Its weights are in a second file, which ONNX Runtime maps into memory: processes share them, and only pages in use
    take memory. `float32` keeps the exact values of the source, as a reference for `int8`.
    """
    model = _Builder(source, precision).model()
    weights = path.with_name(f"{path.name}_data")
    library: Any = onnx  # typed in parts
    library.save_model(model, path, save_as_external_data=True, location=weights.name, size_threshold=_PAGE_BYTES)
    shutil.copymode(path, weights)  # onnx lets only the owner read it


class _Builder:
    def __init__(self, source: E5Source, precision: Precision) -> None:
        self._source = source
        self._sizes = source.sizes
        self._precision = precision
        self._constants: list[onnx.TensorProto] = []
        self._nodes: list[onnx.NodeProto] = []

    def model(self) -> onnx.ModelProto:
        """Build the graph."""
        hidden = self._embed()
        self._add("Cast", ["attention_mask"], "key_mask", to=TensorProto.INT32)
        for layer in range(self._sizes.layers):
            hidden = self._layer(layer, hidden)
        self._pool(hidden)
        text = ["batch", "length"]
        graph = helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [helper.make_tensor_value_info(name, TensorProto.INT64, text) for name in ("input_ids", "attention_mask")],
            [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["batch", self._sizes.hidden])],
            self._constants,
        )
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid(_MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)

    def _embed(self) -> str:
        """Add word, position and token type embeddings, normalised; (batch, length, hidden)."""
        sizes, source = self._sizes, self._source
        words = self._words()
        types = source.floats("emb.type").reshape(sizes.token_types, sizes.hidden)
        self._constant("positions", source.floats("emb.pos").reshape(sizes.positions, sizes.hidden) + types[0])
        self._constant("zero", np.array([0], np.int64))
        self._constant("one", np.array([1], np.int64))
        self._add("Shape", ["input_ids"], "shape")
        self._add("Gather", ["shape", "one"], "length")
        self._add("Slice", ["positions", "zero", "length", "zero"], "position_embeddings")
        self._add("Add", [words, "position_embeddings"], "embedded")
        scale, bias = self._floats("emb.ln.w"), self._floats("emb.ln.b")
        return self._add("LayerNormalization", ["embedded", scale, bias], "hidden", axis=-1, epsilon=sizes.epsilon)

    def _words(self) -> str:
        rows, columns = self._sizes.vocabulary, self._sizes.hidden
        if self._precision == "float32":
            self._constant("words", self._source.matrix("emb.word", rows=rows, columns=columns))
            return self._add("Gather", ["words", "input_ids"], "word_embeddings")
        packed, scales = self._source.packed("emb.word", rows=rows, columns=columns)
        table = TensorProto(name="words", data_type=TensorProto.INT4, dims=[rows, columns])
        table.raw_data = _as_int4(packed).tobytes()
        self._constants.append(table)
        self._constant("words.scale", scales)
        inputs = ["words", "input_ids", "words.scale"]
        options = {"block_size": 32, "gather_axis": 0, "quantize_axis": 1}
        return self._add("GatherBlockQuantized", inputs, "word_embeddings", domain=_MICROSOFT, **options)

    def _layer(self, number: int, hidden: str) -> str:
        """Add attention and feed-forward, each with residual and normalisation."""
        sizes, at = self._sizes, f"l{number}."
        query, key, value = (self._linear(f"{at}{part}", hidden, sizes.hidden, sizes.hidden) for part in "qkv")
        inputs = [query, key, value, "", "key_mask"]
        attention = self._add("MultiHeadAttention", inputs, f"{at}heads", domain=_MICROSOFT, num_heads=sizes.heads)
        attention = self._linear(f"{at}ao", attention, sizes.hidden, sizes.hidden)
        hidden = self._add_and_normalise(f"{at}aln", attention, hidden)
        wide = self._linear(f"{at}fi", hidden, sizes.hidden, sizes.feed_forward)
        wide = self._add("Gelu", [wide], f"{at}gelu", domain=_MICROSOFT)
        return self._add_and_normalise(
            f"{at}oln", self._linear(f"{at}fo", wide, sizes.feed_forward, sizes.hidden), hidden
        )

    def _add_and_normalise(self, name: str, value: str, residual: str) -> str:
        inputs = [value, residual, self._floats(f"{name}.w"), self._floats(f"{name}.b")]
        return self._add(
            "SkipLayerNormalization", inputs, f"{name}.out", domain=_MICROSOFT, epsilon=self._sizes.epsilon
        )

    def _linear(self, name: str, value: str, size_in: int, size_out: int) -> str:
        weights = self._source.matrix(f"{name}.w", rows=size_out, columns=size_in).T
        bias = self._floats(f"{name}.b")
        if self._precision == "float32":
            self._constant(f"{name}.w", weights)
            return self._add("Add", [self._add("MatMul", [value, f"{name}.w"], f"{name}.product"), bias], f"{name}.out")
        scales = np.abs(weights).max(axis=0) / _MAX_WEIGHT
        self._constant(f"{name}.w", np.clip(np.rint(weights / scales), -_MAX_WEIGHT, _MAX_WEIGHT).astype(np.int8))
        self._constant(f"{name}.scale", scales.astype(np.float32))
        self._constant(f"{name}.zero", np.zeros(size_out, np.int8))
        inputs = [value, f"{name}.w", f"{name}.scale", f"{name}.zero", bias]
        return self._add("DynamicQuantizeMatMul", inputs, f"{name}.out", domain=_MICROSOFT)

    def _pool(self, hidden: str) -> None:
        """Average the real tokens and scale to length 1."""
        self._constant("two", np.array([2], np.int64))
        self._add("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
        self._add("Unsqueeze", ["mask", "two"], "mask_column")
        self._add("Mul", [hidden, "mask_column"], "masked")
        self._add("ReduceSum", ["masked", "one"], "sum", keepdims=0)
        self._add("ReduceSum", ["mask_column", "one"], "count", keepdims=0)
        self._add("Div", ["sum", "count"], "mean")
        self._add("LpNormalization", ["mean"], OUTPUT, axis=-1, p=2)

    def _constant(self, name: str, values: NDArray[Any]) -> str:
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def _floats(self, name: str) -> str:
        return self._constant(name, self._source.floats(name))

    def _add(self, kind: str, inputs: list[str], output: str, *, domain: str = "", **options: Any) -> str:  # noqa: ANN401 - an operator's attributes
        self._nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **options))
        return output


def _as_int4(packed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Reorder for ONNX: neighbours share a byte, the first in the low half, two's complement."""
    low, high = packed & 15, packed >> 4
    blocks = np.concatenate([low[:, :, 0::2] | low[:, :, 1::2] << 4, high[:, :, 0::2] | high[:, :, 1::2] << 4], axis=-1)
    return np.bitwise_xor(blocks, 0x88, dtype=np.uint8)  # v - 8 in four bits is v with its top bit flipped
