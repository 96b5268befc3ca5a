"""A model folder as sentence-transformers would write it: a table of word vectors that gives one vector a token."""

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

DIMENSIONS = 24
MAX_TOKENS = 16
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "query", "passage", ":")


def write_tiny_model(folder: Path, *, words: str, pooling: str = "mean", inputs: tuple[str, ...] = ()) -> Path:
    """A folder whose model knows `words`; `inputs` are asked for beside input_ids and attention_mask."""
    folder.mkdir(parents=True)
    vocabulary = list(dict.fromkeys([*SPECIAL, *words.lower().split()]))
    (folder / "tokenizer.json").write_text(_tokenizer(vocabulary).to_str())
    (folder / "model.onnx").write_bytes(_model(len(vocabulary), inputs).SerializeToString())
    (folder / "1_Pooling").mkdir()
    files = {
        "config.json": {"hidden_size": DIMENSIONS, "max_position_embeddings": 999},
        "sentence_bert_config.json": {"max_seq_length": MAX_TOKENS},
        "config_sentence_transformers.json": {"prompts": {"query": "query: ", "passage": "passage: "}},
        "1_Pooling/config.json": {"pooling_mode_cls_token": pooling == "cls"},
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content))
    return folder


def _tokenizer(vocabulary: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(WordLevel({word: i for i, word in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    # As exported files often carry; neither must be obeyed.
    tokenizer.enable_truncation(8)  # pyright: ignore[reportUnknownMemberType] - untyped options
    tokenizer.enable_padding(length=8, pad_id=0, pad_token="[PAD]")  # pyright: ignore[reportUnknownMemberType] - untyped options
    return tokenizer


def _model(size: int, inputs: tuple[str, ...]) -> onnx.ModelProto:
    table = np.random.default_rng(7).normal(size=(size, DIMENSIONS)).astype(np.float32)
    shape = ["batch", "length"]
    names = ("input_ids", "attention_mask", *inputs)
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in names],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, DIMENSIONS])],
        [numpy_helper.from_array(table, "table")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
