"""The tokenizer of multilingual-e5-small: a normaliser in front of a SentencePiece unigram model.

`tokenizers` could run both. For 250,000 pieces it needs five times the memory of `sentencepiece` and twice the time.
"""

import unicodedata
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

from sentencepiece import SentencePieceProcessor
from tokenizers import Regex, Tokenizer
from tokenizers.models import BPE
from tokenizers.normalizers import NFKC, Normalizer, Replace
from tokenizers.normalizers import Sequence as NormalizerSequence

from lectern.embeddings.errors import EmbeddingsMisconfigured
from lectern.embeddings.local.source import TokenizerVocabulary

NORMALIZER_FILE: Final = "normalizer.json"
PIECES_FILE: Final = "sentencepiece.model"
BEGIN_ID: Final = 0
END_ID: Final = 2
_SPACE: Final = "▁"


class E5Tokenizer:
    """Split text into the ids of the model, `<s> pieces </s>`. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        """Load both files of the folder.

        Raises:
            EmbeddingsMisconfigured: One of them is missing or unreadable.
        """
        try:
            normalizer = Tokenizer.from_str((folder / NORMALIZER_FILE).read_text(encoding="utf-8")).normalizer
            self._pieces = SentencePieceProcessor(model_proto=(folder / PIECES_FILE).read_bytes())
        except (OSError, RuntimeError, ValueError) as error:
            raise EmbeddingsMisconfigured(f"The model in {folder} cannot be loaded: {error}") from error
        assert normalizer is not None
        self._normalizer = normalizer

    def __call__(self, text: str) -> list[int]:
        normal = self._normalizer.normalize_str(text).replace(" ", _SPACE)
        if normal and not normal.startswith(_SPACE):
            normal = _SPACE + normal
        return [BEGIN_ID, *self._pieces.encode(normal, out_type=int), END_ID]

    def pieces(self, ids: list[int]) -> list[str]:
        """Return the text of each id, with `▁` for a space."""
        return self._pieces.id_to_piece(ids)


def build_files(vocabulary: TokenizerVocabulary) -> dict[str, bytes]:
    """Build the files of an `E5Tokenizer`, by name."""
    assert (vocabulary.begin_id, vocabulary.end_id) == (BEGIN_ID, END_ID)
    normalizer = Tokenizer(BPE())
    normalizer.normalizer = NormalizerSequence(_normalizers(vocabulary.replacements))
    return {NORMALIZER_FILE: normalizer.to_str().encode(), PIECES_FILE: _unigram_model(vocabulary)}


def _unigram_model(vocabulary: TokenizerVocabulary) -> bytes:
    """Serialise the pieces as a SentencePiece model without a normaliser of its own."""
    from sentencepiece import sentencepiece_model_pb2  # loads protobuf, which only the conversion needs

    messages: Any = sentencepiece_model_pb2  # its classes are made at run time
    model = messages.ModelProto()
    for piece, score in vocabulary.pieces:
        model.pieces.add(piece=piece, score=score)
    model.pieces[vocabulary.unknown_id].type = model.SentencePiece.UNKNOWN
    training = model.trainer_spec
    training.model_type, training.unk_id = messages.TrainerSpec.UNIGRAM, vocabulary.unknown_id
    training.bos_id = training.eos_id = training.pad_id = -1  # they are added here, if at all
    normalizing = model.normalizer_spec
    normalizing.name = "identity"
    normalizing.add_dummy_prefix = normalizing.remove_extra_whitespaces = False
    return model.SerializeToString()


def _normalizers(replacements: dict[str, str]) -> list[Normalizer]:
    """Build NFKC with its exceptions (controls vanish, unusual spaces become spaces), one pass per replacement."""
    exceptions: defaultdict[str, list[str]] = defaultdict(list)
    for character, replacement in replacements.items():
        if unicodedata.normalize("NFKC", character) != replacement:
            exceptions[replacement].append(f"\\x{{{ord(character):x}}}")
    passes = [Replace(Regex(f"[{''.join(characters)}]"), outcome) for outcome, characters in exceptions.items()]
    return [*passes, NFKC(), Replace(Regex(" {2,}"), " ")]
