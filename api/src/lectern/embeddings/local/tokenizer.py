"""Build the tokenizer of multilingual-e5-small, a SentencePiece unigram model, from its vocabulary."""

import unicodedata
from collections import defaultdict

from tokenizers import Regex, Tokenizer
from tokenizers.models import Unigram
from tokenizers.normalizers import NFKC, Normalizer, Replace
from tokenizers.normalizers import Sequence as NormalizerSequence
from tokenizers.pre_tokenizers import Metaspace
from tokenizers.processors import TemplateProcessing

from lectern.embeddings.local.source import TokenizerVocabulary


def build_tokenizer(vocabulary: TokenizerVocabulary) -> Tokenizer:
    """Build a tokenizer that outputs `<s> tokens </s>` with the ids of the weights."""
    tokenizer = Tokenizer(Unigram(vocabulary.pieces, vocabulary.unknown_id, byte_fallback=False))
    tokenizer.normalizer = NormalizerSequence(_normalizers(vocabulary.replacements))
    tokenizer.pre_tokenizer = Metaspace(replacement="▁", prepend_scheme="always", split=True)
    begin, end = vocabulary.pieces[vocabulary.begin_id][0], vocabulary.pieces[vocabulary.end_id][0]
    tokenizer.post_processor = TemplateProcessing(
        single=f"{begin} $A {end}",
        pair=f"{begin} $A {end} {end} $B {end}",
        special_tokens=[(begin, vocabulary.begin_id), (end, vocabulary.end_id)],
    )
    return tokenizer


def _normalizers(replacements: dict[str, str]) -> list[Normalizer]:
    """Build NFKC with its exceptions (controls vanish, unusual spaces become spaces), one pass per replacement."""
    exceptions: defaultdict[str, list[str]] = defaultdict(list)
    for character, replacement in replacements.items():
        if unicodedata.normalize("NFKC", character) != replacement:
            exceptions[replacement].append(f"\\x{{{ord(character):x}}}")
    passes = [Replace(Regex(f"[{''.join(characters)}]"), outcome) for outcome, characters in exceptions.items()]
    return [*passes, NFKC(), Replace(Regex(" {2,}"), " ")]
