"""Analysis of questions, sentences and chunks: words, numbers, negation, instructions (pure).

The word lists and patterns of each language are files in `data/`.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final

from lectern.search.query.question import fold

_DATA: Final = Path(__file__).with_name("data")


def load_data(name: str) -> dict[str, Any]:
    """Return the content of `data/NAME.toml`."""
    return tomllib.loads((_DATA / f"{name}.toml").read_text(encoding="utf-8"))


def compile_any(
    patterns: Iterable[str], *, fragments: Mapping[str, str] | None = None, flags: int = re.IGNORECASE
) -> re.Pattern[str]:
    """Compile patterns to one that matches any of them. Fragments replace `%name%`."""
    whole = "|".join(patterns)
    for name, fragment in (fragments or {}).items():
        whole = whole.replace(f"%{name}%", fragment)
    return re.compile(whole, flags)


def _compile_instructions() -> re.Pattern[str]:
    data = load_data("instructions")
    patterns = chain.from_iterable(data["patterns"].values())
    return compile_any(patterns, fragments=data["fragments"], flags=re.IGNORECASE | re.MULTILINE)


_WORDS: Final = load_data("words")
_STOP_WORDS: Final = frozenset(fold(word) for words in _WORDS["stop_words"].values() for word in words.split())
_NEGATION: Final = compile_any([rf"\b(?:{'|'.join(chain.from_iterable(_WORDS['negation'].values()))})\b"])
_INSTRUCTION: Final = _compile_instructions()
_WH_WORD: Final = compile_any(load_data("questions")["question"]["wh_word"])
COMPANY: Final = re.compile(rf"([A-ZÀ-ÖØ-Þ][\w&’'-]+),?\s+(?i:{'|'.join(_WORDS['legal_forms']['patterns'])})\b")
LEGAL_FORMS: Final = frozenset(_WORDS["legal_forms"]["words"].split())

_WORD: Final = re.compile(r"[^\W_]+(?:[-.,'’/][^\W_]+)*%?")
_TOKEN: Final = re.compile(r"[^\W_]+(?:[-./:'’][^\W_]+)*%?")
NUMBER: Final = re.compile(r"\d+(?:[.,'’\u00a0\u202f]\d+)*")
_BAR: Final = re.compile(r"(?<!\\)\|")
_STEM_LETTERS: Final = 6
_MIN_WORD_LETTERS: Final = 2
_THOUSANDS_DIGITS: Final = 3
# Endings of short English words, which differ within their first six letters: booked is of book, carries of carry.
_Y_ENDING: Final = re.compile(r"(?<=[a-z][b-df-hj-np-tv-z])ie[sd]$")
_VERB_ENDING: Final = re.compile(r"(?:(?<=[a-z][aeiouy][a-z])|(?<=[aeiouy][b-df-hj-np-tv-z]{2}))(?:ed|ing)$")
_DOUBLED: Final = frozenset(2 * letter for letter in "bdgmnprt")
_MIN_LETTERS: Final = 3  # "added" becomes "add", "gas" keeps its s, "due" keeps its e


def content_words(text: str) -> list[str]:
    """Return the stemmed words of a text in order, without stop words and numbers."""
    words = (fold(part) for match in _WORD.finditer(text) for part in re.split(r"['’/-]", match[0]))
    return [
        _stem(word)
        for word in words
        if len(word) >= _MIN_WORD_LETTERS and word not in _STOP_WORDS and not word[0].isdigit()
    ]


def _stem(word: str) -> str:
    stem = _VERB_ENDING.sub("", _Y_ENDING.sub("y", word))
    if stem != word and stem[-2:] in _DOUBLED and len(stem) > _MIN_LETTERS:
        stem = stem[:-1]
    return stem[:_STEM_LETTERS] if len(stem) > _STEM_LETTERS else singular(stem)


def singular(word: str) -> str:
    """Remove the final vowel or s that marks number and gender: fee and fees, conto and conti."""
    shorter = word.removesuffix("s") if len(word) > _MIN_LETTERS else word
    return shorter[:-1] if len(shorter) > _MIN_LETTERS and shorter[-1] in "aeiou" else shorter


def split_cells(row: str) -> list[str]:
    r"""Return the cells of a Markdown row, or nothing for another line. A bar within a cell is escaped (`\|`)."""
    if not row.startswith("|"):
        return []
    cells = [cell.strip().replace("\\|", "|") for cell in _BAR.split(row.rstrip())[1:]]
    return cells if cells[-1] else cells[:-1]


def numbers(text: str) -> set[str]:
    """Return the normalized numbers of a text: "15,000.00", "15.000" and "15000" are equal."""
    return {normalize_number(match[0]) for match in NUMBER.finditer(text)}


def normalize_number(written: str) -> str:
    """Return one spelling for a number, whichever of point and comma separates the thousands.

    A single separator with three digits behind it separates thousands, unless the number begins with 0.
    """
    plain = re.sub(r"['’\u00a0\u202f]", "", written)
    groups = re.split(r"[.,]", plain)
    signs = re.findall(r"[.,]", plain)
    if not signs:
        return plain.lstrip("0") or "0"
    is_decimal = len(groups[-1]) != _THOUSANDS_DIGITS or groups[0] in {"", "0"}
    is_last_decimal = len(set(signs)) > 1 or (len(signs) == 1 and is_decimal)
    whole = "".join(groups[:-1]) if is_last_decimal else "".join(groups)
    rest = groups[-1].rstrip("0") if is_last_decimal else ""
    return (whole.lstrip("0") or "0") + (f".{rest}" if rest else "")


def identifiers(text: str) -> set[str]:
    """Return normalized numbers and codes that hold a digit ("SKU-0042", "12-bis")."""
    tokens = (match[0] for match in _TOKEN.finditer(text))
    return {
        fold(token) if any(map(str.isalpha, token)) else normalize_number(token.rstrip("%"))
        for token in tokens
        if any(map(str.isdigit, token))
    }


def is_negated(text: str) -> bool:
    """Return True if the text has a word of negation."""
    return _NEGATION.search(text) is not None


def is_instruction(sentence: str) -> bool:
    """Return True if a sentence addresses a language model: to ignore its rules, to answer something, to be somebody.

    Such sentences support nothing and are never quoted.
    """
    return _INSTRUCTION.search(sentence) is not None


def is_wh_question(question: str) -> bool:
    """Return True if the question begins with a question word, in any of seven languages."""
    return _WH_WORD.match(question) is not None
