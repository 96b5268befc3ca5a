"""A tiny exported cross-encoder. Its score is the mean weight of the input tokens."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def write_tiny_cross_encoder(folder: Path, weights: Mapping[str, float]) -> Path:
    """Write a model that knows the words of `weights`. Other words weigh zero."""
    folder.mkdir(parents=True)
    words = [*SPECIAL, *weights]
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    (folder / "tokenizer.json").write_text(tokenizer.to_str())
    table = np.array([[weights.get(word, 0.0)] for word in words], np.float32)
    names = ("input_ids", "attention_mask", "token_type_ids")
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "input_ids"], ["each"]),
            helper.make_node("ReduceMean", ["each"], ["logits"], axes=[1], keepdims=0),
        ],
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in names],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])],
        [numpy_helper.from_array(table, "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    return folder
