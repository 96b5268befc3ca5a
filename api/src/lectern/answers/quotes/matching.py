"""Exact and approximate matching of a quotation in a text (pure).

Typography is ignored: line breaks, hyphenation, ligatures, the shapes of quotation marks and dashes, invisible
characters, and quotation marks around the quotation. Everything else counts. A changed digit, a number without its
sign, decimals or per cent, or a dropped "not" is never exact.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice, pairwise
from typing import Final, Literal

from lectern.documents.parts.text_search import EQUIVALENT_CHARACTERS

MAX_LOCATIONS: Final = 20
_MIN_SIMILARITY: Final = 0.75  # share of equal words, 2 * equal / (quoted + found)
_MIN_EQUAL_WORDS: Final = 3

_LIKE: Final = {sign: "[" + re.escape(group) + "]" for group in EQUIVALENT_CHARACTERS for sign in group}
_DASHES: Final = EQUIVALENT_CHARACTERS[2]
_MARKS: Final = EQUIVALENT_CHARACTERS[:2]
_LIGATURES: Final = {"ffi": "ﬃ", "ffl": "ﬄ", "ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ", "st": "ﬆﬅ", "...": "…"}
_BLANK: Final = r"[\s|\u00ad]+"
# Inside a word: the hyphenation at the end of a line.
_HYPHENATED: Final = rf"(?:\u00ad|[{re.escape(_DASHES)}]\u00ad?[^\S\n]*\n\s*)?"
_HYPHENATION: Final = re.compile(rf"(?<=\w)[{re.escape(_DASHES)}\u00ad][^\S\n]*\n\s*(?=\w)|\u00ad")
_WORD_BREAK: Final = re.compile(rf"[{re.escape(_DASHES)}\u00ad][^\S\n]*\n\s*|\u00ad")
# Characters without width. The soft hyphen is hyphenation.
_INVISIBLE: Final = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
# A number must be whole: no more digits, sign or per cent beside it.
_NUMBER_BEFORE: Final = rf"(?<!\d[.,/'’\u00a0\u202f])(?<![\s(|$€£][.])(?<![\s(|$€£][{re.escape(_DASHES)}])"
_NUMBER_AFTER: Final = r"(?![.,/'’\u00a0\u202f]\d|[^\S\n]?[%‰])"
_SIGNS_BEFORE: Final = re.compile(rf"(?:[.{re.escape(_DASHES)}]|\d+[/\u00a0\u202f])\Z")
_SIGNS_AFTER: Final = re.compile(r"[^\S\n]?[%‰]|[/\u00a0\u202f]\d+")
_WORD: Final = re.compile(r"[^\W_]+(?:[-.,'’][^\W_]+)*%?")
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")


@dataclass(frozen=True, slots=True)
class TextDifference:
    """Words of the quotation and the document's words in their place. One of them may be empty."""

    kind: Literal["replaced", "missing", "added"]
    quoted: str
    found: str


@dataclass(frozen=True, slots=True)
class NearMatch:
    """The characters start..end most similar to the quotation."""

    start: int
    end: int
    similarity: float
    differences: tuple[TextDifference, ...]


@dataclass(frozen=True, slots=True)
class _Word:
    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _VisibleText:
    """A text without invisible characters, and the original offset of each character (None: unchanged)."""

    text: str
    origins: Sequence[int] | None = None

    @staticmethod
    def of(text: str) -> "_VisibleText":
        if not _INVISIBLE.search(text):
            return _VisibleText(text)
        origins = [index for index, character in enumerate(text) if not _INVISIBLE.match(character)]
        return _VisibleText("".join(text[index] for index in origins), origins)

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the original offsets of a non-empty range."""
        return (start, end) if self.origins is None else (self.origins[start], self.origins[end - 1] + 1)


def find_exact(text: str, quote: str, *, limit: int = MAX_LOCATIONS) -> list[tuple[int, int]]:
    """Return start and end of each exact match, of whole words and whole numbers only."""
    visible = _VisibleText.of(text)
    for wanted in (quote, _without_marks(quote)):
        pattern = _pattern(_INVISIBLE.sub("", wanted))
        spans = [match.span() for match in islice(pattern.finditer(visible.text), limit)] if pattern else []
        if spans:
            return [visible.original(*span) for span in spans]
    return []


def find_near(text: str, quote: str) -> NearMatch | None:
    """Return the text most similar to the quotation, or None if fewer than three quarters of the words are equal."""
    visible = _VisibleText.of(text)
    near = _find_near(visible.text, _INVISIBLE.sub("", quote))
    if near is None:
        return None
    start, end = visible.original(near.start, near.end)
    return NearMatch(start, end, near.similarity, near.differences)


def _find_near(text: str, quote: str) -> NearMatch | None:
    quoted, words = _words(quote), _words(text)
    start = _best_start([word.key for word in quoted], [word.key for word in words])
    if start is None:
        return None
    slack = max(4, len(quoted) // 4)
    window = words[max(0, start - slack) : start + len(quoted) + slack]
    return _compare(quote, text, quoted=quoted, window=window)


def _without_marks(quote: str) -> str:
    """Return the quotation without quotation marks around it, or nothing if there are none."""
    bare = quote.strip()
    is_marked = any(bare[:1] in marks and bare[-1:] in marks for marks in _MARKS) if bare else False
    return bare[1:-1] if is_marked else ""


def _pattern(quote: str) -> re.Pattern[str] | None:
    """Compile the quotation to a pattern that allows typographic changes only."""
    wanted = _composed(_HYPHENATION.sub("\u00ad", quote)).strip(" \t\n\r|")
    parts = [_word_pattern(word) for word in re.split(r"[\s|]+", wanted) if word.strip("\u00ad")]
    if not parts:
        return None
    body = _BLANK.join(parts)
    before = r"(?<![^\W_])" if wanted[0].isalnum() else ""
    after = r"(?![^\W_])" if wanted[-1].isalnum() else ""
    before += _NUMBER_BEFORE if wanted[0].isdigit() else ""
    after += _NUMBER_AFTER if wanted[-1].isdigit() else ""
    return re.compile(before + body + after)


def _composed(text: str) -> str:
    """Compose accents and spell out ligatures."""
    for letters, signs in _LIGATURES.items():
        text = re.sub(f"[{signs}]", letters, text)
    return unicodedata.normalize("NFC", text)


def _word_pattern(word: str) -> str:
    pieces: list[str] = []
    position = 0
    while position < len(word):
        piece, length = _piece(word, position)
        pieces.append(piece)
        position += length
        is_inside = position < len(word) and word[position - 1].isalnum() and word[position].isalnum()
        if is_inside:
            pieces.append(_HYPHENATED)
    return "".join(pieces)


def _piece(word: str, position: int) -> tuple[str, int]:
    """Return the pattern for the next letters and their number."""
    for letters, signs in _LIGATURES.items():
        if word.startswith(letters, position):
            spelled = _HYPHENATED.join(map(re.escape, letters))
            if letters in {"ffi", "ffl"}:
                spelled = (
                    f"f{_HYPHENATED}(?:f{_HYPHENATED}{letters[2]}|{_LIGATURES[letters[1:]]})|ﬀ{_HYPHENATED}{letters[2]}"
                )
            return f"(?:{spelled}|[{signs}])", len(letters)
    letter = word[position]
    if letter == "\u00ad":  # hyphenated in the quotation: with a hyphen or without
        return rf"(?:[{re.escape(_DASHES)}\u00ad]\s*)?", 1
    if letter in _DASHES:
        return _LIKE[letter] + r"(?:[^\S\n]*\n\s*)?", 1
    # composed, decomposed or compatible forms: a superscript matches its digit, but not inside a number
    forms = {letter: None, unicodedata.normalize("NFD", letter): None}
    if not (position and letter.isdigit() and word[position - 1].isdigit()):
        forms[unicodedata.normalize("NFKC", letter).strip()] = None
    if len(forms) > 1:
        return f"(?:{'|'.join(map(re.escape, forms))})", 1
    return _LIKE.get(letter, re.escape(letter)), 1


def _words(text: str) -> list[_Word]:
    """Return the words with their offsets. A hyphenated word is one."""
    words: list[_Word] = []
    for match in _WORD.finditer(text):
        key = _key(match[0])
        last = words[-1] if words else None
        if last and _WORD_BREAK.fullmatch(text, last.end, match.start()):
            words[-1] = _Word(last.key + key, last.start, match.end())
        else:
            words.append(_Word(key, match.start(), match.end()))
    return words


def _key(word: str) -> str:
    """Return the form for comparison, without hyphens between letters, which may be hyphenation."""
    return _HYPHEN.sub("", unicodedata.normalize("NFKC", word).casefold().replace("’", "'"))


def _best_start(quoted: Sequence[str], words: Sequence[str]) -> int | None:
    """Return the word index at which most word pairs of the quotation agree with the text."""
    if len(quoted) < _MIN_EQUAL_WORDS:
        return None
    places: dict[tuple[str, str], list[int]] = {}
    for place, pair in enumerate(pairwise(quoted)):
        places.setdefault(pair, []).append(place)
    votes: Counter[int] = Counter()
    for position, pair in enumerate(pairwise(words)):
        for place in places.get(pair, ()):
            votes[position - place] += 1
    if not votes:
        return None
    # omitted and added words shift the rest: nearby starts count together
    reach = max(2, len(quoted) // 8)
    best = max(sorted(votes), key=lambda start: (sum(votes[start + step] for step in range(-reach, reach + 1)), -start))
    return max(best, 0)


def _compare(quote: str, text: str, *, quoted: Sequence[_Word], window: Sequence[_Word]) -> NearMatch | None:
    matcher = SequenceMatcher(None, [word.key for word in quoted], [word.key for word in window], autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    same = sum(block.size for block in blocks)
    if same < _MIN_EQUAL_WORDS:
        return None
    # unmatched words at both ends of the quotation replace as many words of the text
    first = max(blocks[0].b - blocks[0].a, 0)
    last = min(blocks[-1].b + blocks[-1].size + len(quoted) - blocks[-1].a - blocks[-1].size, len(window))
    similarity = 2 * same / (len(quoted) + last - first)
    if similarity < _MIN_SIMILARITY:
        return None
    differences: list[TextDifference] = []
    for tag, left, right, start, end in matcher.get_opcodes():
        inside = window[max(start, first) : min(end, last)]
        if tag == "equal" or (left == right and not inside):
            continue
        differences.append(_difference(quote, text, quoted=quoted[left:right], found=inside))
    if not differences:
        differences = _sign_difference(quote, text, window[first].start, window[last - 1].end)
    return NearMatch(window[first].start, window[last - 1].end, round(similarity, 4), tuple(differences))


def _difference(quote: str, text: str, *, quoted: Sequence[_Word], found: Sequence[_Word]) -> TextDifference:
    left = quote[quoted[0].start : quoted[-1].end] if quoted else ""
    right = text[found[0].start : found[-1].end] if found else ""
    if not left:
        return TextDifference("missing", "", right)
    return TextDifference("replaced" if right else "added", left, right)


def _sign_difference(quote: str, text: str, start: int, end: int) -> list[TextDifference]:
    """Return the difference of texts with equal words: capitals, or signs between words or around a number."""
    before, after = _SIGNS_BEFORE.search(text[:start]), _SIGNS_AFTER.match(text, end)
    start, end = before.start() if before else start, after.end() if after else end
    return [TextDifference("replaced", quote.strip(), text[start:end])]
