"""Filenames as they come from browsers, programs and people who mean harm."""

import mimetypes
import re
import unicodedata
from email.message import Message
from email.utils import collapse_rfc2231_value
from typing import Final
from urllib.parse import quote

_UNWANTED: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_MAX_CHARACTERS: Final = 255
_MAX_SUFFIX_CHARACTERS: Final = 20
UNNAMED: Final = "upload"


def safe_filename(name: str | None, *, content_type: str | None = None) -> str:
    """The last part of a path, without control and direction characters; never empty, at most 255 characters."""
    last = re.split(r"[/\\]", name or "")[-1]
    clean = " ".join(_UNWANTED.sub("", unicodedata.normalize("NFC", last)).split()).strip(". ")
    if not clean:
        return UNNAMED + (mimetypes.guess_extension(content_type or "") or "")
    if len(clean) <= _MAX_CHARACTERS:
        return clean
    stem, dot, suffix = clean.rpartition(".")
    if not dot or len(suffix) > _MAX_SUFFIX_CHARACTERS:
        return clean[:_MAX_CHARACTERS]
    return stem[: _MAX_CHARACTERS - len(suffix) - 1] + dot + suffix


def filename_of_disposition(header: str | None) -> str | None:
    """The filename in a Content-Disposition header (RFC 6266, both spellings), if there is one."""
    if not header:
        return None
    message = Message()
    message["Content-Disposition"] = header
    names = [value for name, value in message.get_params([], "content-disposition") if name == "filename"]
    # of the two spellings the extended one comes as a tuple and counts
    names.sort(key=lambda value: not isinstance(value, tuple))
    if not names:
        return None
    if isinstance(names[0], tuple):
        return collapse_rfc2231_value(names[0])
    try:  # headers arrive as latin-1, whatever was meant
        return names[0].encode("latin-1").decode()
    except UnicodeError:
        return names[0]


def disposition_of_filename(filename: str, *, is_inline: bool) -> str:
    """A Content-Disposition header that no filename can break out of (RFC 6266)."""
    kind = "inline" if is_inline else "attachment"
    plain = re.sub(r'[^\x20-\x7e]|["\\%]', "_", filename)
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(filename, safe='')}"
