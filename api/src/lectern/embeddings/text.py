"""Texts made safe for any model (pure)."""

import hashlib
import re
import unicodedata
from typing import Final

# No writing system needs more characters for one token. Without a cap a 1 MB text costs 0.6 s to tokenise, only to drop
# all but 512 of its tokens.
CHARACTERS_PER_TOKEN: Final = 16
_UNUSABLE: Final = re.compile("[\x00\ud800-\udfff]")


def cleaned(text: str, *, max_tokens: int) -> str:
    """The text in NFC without NUL and lone surrogates, cut where no model of `max_tokens` would read on."""
    return unicodedata.normalize("NFC", _UNUSABLE.sub("", text[: max_tokens * CHARACTERS_PER_TOKEN]))


def content_hash(text: str) -> bytes:
    """The address of a text in the embedding cache: 32 bytes, sha256 of its UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
