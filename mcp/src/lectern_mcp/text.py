"""Clean, measure and cut text from documents.

`count_tokens` needs no vocabulary. Measured over 84 passages (filings, Italian law, JSON, tables) it gives 1.0 to 1.6
times what cl100k_base counts, 1.3 in the middle; characters per token range from 1.4 to 5.4 there, so no divisor does.
"""

import re
import unicodedata
from functools import cache

from pydantic import ValidationError

_PIECES = re.compile(r"[^\W\d_]+|\d{1,3}|[^\w\s]|_|\n|\s(?=\d)|\s{2,}")
_SENTENCE_END = re.compile(r"[.!?;:…。!?]+[\"'»”)\]]*(?=\s)|\n")

_RULES = {
    "missing": "is required",
    "string_type": "must be text",
    "int": "must be a whole number",
    "float": "must be a number",
    "bool": "must be true or false",
    "list_type": "must be a list",
    "literal_error": "must be {expected}",
    "string_pattern_mismatch": "has an invalid form",
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be more than {gt}",
    "less_than_equal": "must be at most {le}",
    "string_too_short": "must have {min_length} or more characters",
    "too_short": "must have {min_length} or more entries",
    "too_long": "must have at most {max_length} entries",
    "string_too_long": "must have at most {max_length} characters",
}
"""Rules of Pydantic in plain words, by the type of the error or by its first word."""


def describe_faults(error: ValidationError) -> str:
    """Return what is wrong with each value, as `top_k must be at least 1; query is required`."""
    faults: list[str] = []
    for item in error.errors():
        rule = _RULES.get(item["type"]) or _RULES.get(item["type"].partition("_")[0], "is invalid: {msg}")
        faults.append(f"{'.'.join(map(str, item['loc']))} {rule.format_map({**item, **item.get('ctx', {})})}")
    return "; ".join(faults)


@cache
def _is_hidden(character: str) -> bool:
    return character not in "\n\t" and unicodedata.category(character).startswith("C")


def clean(text: str) -> str:
    """Remove control, format (zero-width, bidirectional) and unassigned characters, which can hide instructions."""
    hidden = {character for character in set(text) if _is_hidden(character)}
    return text.translate(dict.fromkeys(map(ord, hidden))) if hidden else text


def one_line(text: str, limit: int = 300) -> str:
    """Return clean text on a single line of at most `limit` characters."""
    line = " ".join(clean(text).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def counted(number: int | None, noun: str) -> str:
    """Return a number and its noun, as `1 page` or `2 pages`."""
    return f"{number or 0:d} {noun}" if number == 1 else f"{number or 0:d} {noun}s"


def count_tokens(text: str) -> int:
    """Return an upper estimate of cl100k_base tokens: a word costs one or more, three digits one, a sign one."""
    return sum(_cost(piece) for piece in _PIECES.findall(text))


def _cost(piece: str) -> int:
    if not piece[0].isalpha():
        return 1
    return 1 + (len(piece) - 1) // 4 if piece.isascii() else len(piece.encode()) // 2


def cut(text: str, characters: int) -> str:
    """Return the beginning of the text up to a length, ending at a sentence or else a word."""
    if len(text) <= characters:
        return text
    head = text[: max(characters, 0)]
    ends = [match.end() for match in _SENTENCE_END.finditer(text, 0, len(head) + 1) if match.end() <= len(head)]
    if ends and ends[-1] >= len(head) // 2:
        return head[: ends[-1]].rstrip()
    return head[: max(head.rfind(" "), head.rfind("\n"), 0) or len(head)].rstrip()
