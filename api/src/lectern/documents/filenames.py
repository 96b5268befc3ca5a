"""Filenames from untrusted clients, and the Content-Disposition header (RFC 6266)."""

import mimetypes
import re
from email.message import Message
from email.utils import collapse_rfc2231_value
from typing import Final
from urllib.parse import quote

from lectern.names import clean_name

# Control characters, line breaks and unpaired surrogates.
_FORBIDDEN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_MAX_CHARACTERS: Final = 255
_MAX_SUFFIX_CHARACTERS: Final = 20
UNNAMED: Final = "upload"


def sanitize_filename(name: str | None, *, content_type: str | None = None) -> str:
    """Return the last part of a path without forbidden characters: never empty, at most 255 characters."""
    last = re.split(r"[/\\]", name or "")[-1]
    clean = clean_name(_FORBIDDEN.sub("", last)).strip(". ")
    if not clean:
        return UNNAMED + (mimetypes.guess_extension(content_type or "") or "")
    if len(clean) <= _MAX_CHARACTERS:
        return clean
    stem, dot, suffix = clean.rpartition(".")
    if not dot or len(suffix) > _MAX_SUFFIX_CHARACTERS:
        return clean[:_MAX_CHARACTERS]
    return stem[: _MAX_CHARACTERS - len(suffix) - 1] + dot + suffix


def parse_content_disposition(header: str | None) -> str | None:
    """Return the filename in a Content-Disposition header, in either spelling."""
    if not header:
        return None
    message = Message()
    message["Content-Disposition"] = header
    names = [value for name, value in message.get_params([], "content-disposition") if name == "filename"]
    # The extended spelling is parsed as a tuple and takes precedence.
    names.sort(key=lambda value: not isinstance(value, tuple))
    if not names:
        return None
    if isinstance(names[0], tuple):
        return collapse_rfc2231_value(names[0])
    try:  # Header values arrive decoded as latin-1, also if they are UTF-8.
        return names[0].encode("latin-1").decode()
    except UnicodeError:
        return names[0]


def build_content_disposition(filename: str, *, is_inline: bool) -> str:
    """Return a Content-Disposition header with the filename quoted and encoded."""
    kind = "inline" if is_inline else "attachment"
    plain = re.sub(r'[^\x20-\x7e]|["\\%]', "_", filename)
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(filename, safe='')}"
