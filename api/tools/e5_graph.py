"""Write the graph of multilingual-e5-small: a 12-layer BERT encoder, mean pooling, unit length.

    python api/tools/e5_graph.py

The weights are not in it: Lectern writes them beside it at its first start (`lectern.embeddings.local.weights`).
Activations are quantised dynamically at run time.
"""

from typing import Any, Final, Literal

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from lectern.embeddings.local.source import E5Source, find_source
from lectern.embeddings.local.weights import (
    GRAPH,
    WEIGHTS_FILE,
    Tensors,
    add_token_type,
    lay_out,
    list_matrices,
    list_tensors,
    list_vectors,
)

Precision = Literal["int8", "float32"]
OUTPUT: Final = "sentence_embedding"
_MICROSOFT: Final = "com.microsoft"
_INDEXES: Final = {"zero": 0, "one": 1, "two": 2}


def main() -> None:
    """Write the graph into the package."""
    GRAPH.write_bytes(serialise(E5Source(find_source())))


def serialise(source: E5Source) -> bytes:
    """Return the file of the graph. The same source gives the same bytes."""
    return _Builder(source, "int8").model(_list_places(source)).SerializeToString(deterministic=True)


def build_exact_model(source: E5Source) -> onnx.ModelProto:
    """Build the float32 model as a reference for the quantised one."""
    constants = [numpy_helper.from_array(np.ascontiguousarray(values), name) for name, values in _list_exact(source)]
    return _Builder(source, "float32").model(constants)


def _list_places(source: E5Source) -> list[TensorProto]:
    """Describe the tensors in the file of weights."""
    sizes, listed = source.sizes, list[TensorProto]()
    for offset, (name, values) in lay_out(list_tensors(source)):
        tensor = TensorProto(name=name, dims=values.shape, data_location=TensorProto.EXTERNAL)
        tensor.data_type = helper.np_dtype_to_tensor_dtype(values.dtype)
        if name == "words":
            tensor.data_type, tensor.dims[:] = TensorProto.INT4, (sizes.vocabulary, sizes.hidden)
        for key, value in {"location": WEIGHTS_FILE, "offset": str(offset), "length": str(values.nbytes)}.items():
            tensor.external_data.add(key=key, value=value)
        listed.append(tensor)
    return listed


def _list_exact(source: E5Source) -> Tensors:
    sizes = source.sizes
    yield "words", source.matrix("emb.word", rows=sizes.vocabulary, columns=sizes.hidden)
    yield "positions", add_token_type(source)
    yield from ((name, source.floats(name)) for name in list_vectors(source))
    for name, rows, columns in list_matrices(source):
        yield name, source.matrix(name, rows=rows, columns=columns).T


class _Builder:
    def __init__(self, source: E5Source, precision: Precision) -> None:
        self._sizes = source.sizes
        self._precision = precision
        self._nodes: list[onnx.NodeProto] = []

    def model(self, constants: list[TensorProto]) -> onnx.ModelProto:
        """Build the model: int64 `input_ids`, `attention_mask` (batch, length) -> float32 (batch, 384)."""
        hidden = self._embed()
        self._add("Cast", ["attention_mask"], "key_mask", to=TensorProto.INT32)
        for layer in range(self._sizes.layers):
            hidden = self._layer(layer, hidden)
        self._pool(hidden)
        text = ["batch", "length"]
        indexes = [numpy_helper.from_array(np.array([value], np.int64), name) for name, value in _INDEXES.items()]
        graph = helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [helper.make_tensor_value_info(name, TensorProto.INT64, text) for name in ("input_ids", "attention_mask")],
            [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["batch", self._sizes.hidden])],
            constants + indexes,
        )
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid(_MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)

    def _embed(self) -> str:
        """Add word, position and token type embeddings, normalised; (batch, length, hidden)."""
        words = self._words()
        self._add("Shape", ["input_ids"], "shape")
        self._add("Gather", ["shape", "one"], "length")
        self._add("Slice", ["positions", "zero", "length", "zero"], "position_embeddings")
        self._add("Add", [words, "position_embeddings"], "embedded")
        inputs = ["embedded", "emb.ln.w", "emb.ln.b"]
        return self._add("LayerNormalization", inputs, "hidden", axis=-1, epsilon=self._sizes.epsilon)

    def _words(self) -> str:
        if self._precision == "float32":
            return self._add("Gather", ["words", "input_ids"], "word_embeddings")
        inputs = ["words", "input_ids", "words.scale"]
        options = {"block_size": 32, "gather_axis": 0, "quantize_axis": 1}
        return self._add("GatherBlockQuantized", inputs, "word_embeddings", domain=_MICROSOFT, **options)

    def _layer(self, number: int, hidden: str) -> str:
        """Add attention and feed-forward, each with residual and normalisation."""
        at = f"l{number}."
        query, key, value = (self._linear(f"{at}{part}", hidden) for part in "qkv")
        inputs = [query, key, value, "", "key_mask"]
        attention = self._add(
            "MultiHeadAttention", inputs, f"{at}heads", domain=_MICROSOFT, num_heads=self._sizes.heads
        )
        hidden = self._add_and_normalise(f"{at}aln", self._linear(f"{at}ao", attention), hidden)
        wide = self._add("Gelu", [self._linear(f"{at}fi", hidden)], f"{at}gelu", domain=_MICROSOFT)
        return self._add_and_normalise(f"{at}oln", self._linear(f"{at}fo", wide), hidden)

    def _add_and_normalise(self, name: str, value: str, residual: str) -> str:
        inputs, epsilon = [value, residual, f"{name}.w", f"{name}.b"], self._sizes.epsilon
        return self._add("SkipLayerNormalization", inputs, f"{name}.out", domain=_MICROSOFT, epsilon=epsilon)

    def _linear(self, name: str, value: str) -> str:
        weights, bias = f"{name}.w", f"{name}.b"
        if self._precision == "float32":
            return self._add("Add", [self._add("MatMul", [value, weights], f"{name}.product"), bias], f"{name}.out")
        inputs = [value, weights, f"{weights}.scale", f"{weights}.zero", bias]
        return self._add("DynamicQuantizeMatMul", inputs, f"{name}.out", domain=_MICROSOFT)

    def _pool(self, hidden: str) -> None:
        """Average the real tokens and scale to length 1."""
        self._add("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
        self._add("Unsqueeze", ["mask", "two"], "mask_column")
        self._add("Mul", [hidden, "mask_column"], "masked")
        self._add("ReduceSum", ["masked", "one"], "sum", keepdims=0)
        self._add("ReduceSum", ["mask_column", "one"], "count", keepdims=0)
        self._add("Div", ["sum", "count"], "mean")
        self._add("LpNormalization", ["mean"], OUTPUT, axis=-1, p=2)

    def _add(self, kind: str, inputs: list[str], output: str, *, domain: str = "", **options: Any) -> str:  # noqa: ANN401 - an operator's attributes
        self._nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **options))
        return output


if __name__ == "__main__":
    main()
