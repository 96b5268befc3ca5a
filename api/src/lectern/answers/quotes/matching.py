"""Whether a quotation stands in a text: word for word, nearly (and what differs), or not (pure).

What print does to a text does not count: line breaks, words divided at the end of a line, ligatures, the shapes of
quotation marks and dashes, characters that nobody sees; nor do the marks that the quotation was put between. Everything
else does: a changed digit, a number without its sign, its decimals or its per cent, or a dropped "not" is never exact.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice, pairwise
from typing import Final, Literal

from lectern.documents.parts.finding import SIGNS_ALIKE

MAX_PLACES: Final = 20
NEAR_SIMILARITY: Final = 0.75  # share of words that are the same, 2 * same / (quoted + found)
MIN_SAME_WORDS: Final = 3

_LIKE: Final = {sign: "[" + re.escape(group) + "]" for group in SIGNS_ALIKE for sign in group}
_DASHES: Final = SIGNS_ALIKE[2]
_MARKS: Final = SIGNS_ALIKE[:2]
_LIGATURES: Final = {"ffi": "ﬃ", "ffl": "ﬄ", "ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ", "st": "ﬆﬅ", "...": "…"}
_BLANK: Final = r"[\s|\u00ad]+"
# A word that goes on in the next line.
_DIVIDED: Final = rf"(?:\u00ad|[{re.escape(_DASHES)}]\u00ad?[^\S\n]*\n\s*)?"
_DIVISION: Final = re.compile(rf"(?<=\w)[{re.escape(_DASHES)}\u00ad][^\S\n]*\n\s*(?=\w)|\u00ad")
_DIVIDES: Final = re.compile(rf"[{re.escape(_DASHES)}\u00ad][^\S\n]*\n\s*|\u00ad")
# Of no width: they part no words and are in no word. The soft hyphen is a division.
_UNSEEN: Final = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
# What a number cannot be parted from: more of its digits, a sign before it, a per cent behind it.
_NUMBER_BEFORE: Final = rf"(?<!\d[.,/'’\u00a0\u202f])(?<![\s(|$€£][.])(?<![\s(|$€£][{re.escape(_DASHES)}])"
_NUMBER_AFTER: Final = r"(?![.,/'’\u00a0\u202f]\d|[^\S\n]?[%‰])"
_SIGNS_BEFORE: Final = re.compile(rf"(?:[.{re.escape(_DASHES)}]|\d+[/\u00a0\u202f])\Z")
_SIGNS_AFTER: Final = re.compile(r"[^\S\n]?[%‰]|[/\u00a0\u202f]\d+")
_WORD: Final = re.compile(r"[^\W_]+(?:[-.,'’][^\W_]+)*%?")
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")


@dataclass(frozen=True, slots=True)
class Difference:
    """Words of the quotation, and those that stand in their place; one of them is empty where words are missing."""

    kind: Literal["replaced", "missing", "added"]
    quoted: str
    found: str


@dataclass(frozen=True, slots=True)
class Near:
    """Characters start..end that are most like the quotation."""

    start: int
    end: int
    similarity: float
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class _Word:
    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Seen:
    """A text without what nobody sees, and where each character of what is left stood (None: where it stands)."""

    text: str
    origins: Sequence[int] | None = None

    @staticmethod
    def of(text: str) -> "_Seen":
        if not _UNSEEN.search(text):
            return _Seen(text)
        origins = [index for index, character in enumerate(text) if not _UNSEEN.match(character)]
        return _Seen("".join(text[index] for index in origins), origins)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """A place of `text` in the whole text; it has a character at least."""
        return (start, end) if self.origins is None else (self.origins[start], self.origins[end - 1] + 1)


def find_exact(text: str, quote: str, *, limit: int = MAX_PLACES) -> list[tuple[int, int]]:
    """Start and end of each place where the quotation stands word for word, whole words and whole numbers only."""
    seen = _Seen.of(text)
    for wanted in (quote, _without_marks(quote)):
        pattern = _pattern(_UNSEEN.sub("", wanted))
        places = [match.span() for match in islice(pattern.finditer(seen.text), limit)] if pattern else []
        if places:
            return [seen.place(*place) for place in places]
    return []


def find_near(text: str, quote: str) -> Near | None:
    """The passage most like the quotation; None where fewer than three quarters of the words are the same."""
    seen = _Seen.of(text)
    near = _find_near(seen.text, _UNSEEN.sub("", quote))
    if near is None:
        return None
    start, end = seen.place(near.start, near.end)
    return Near(start, end, near.similarity, near.differences)


def _find_near(text: str, quote: str) -> Near | None:
    quoted, words = _words(quote), _words(text)
    start = _best_start([word.key for word in quoted], [word.key for word in words])
    if start is None:
        return None
    slack = max(4, len(quoted) // 4)
    window = words[max(0, start - slack) : start + len(quoted) + slack]
    return _compare(quote, text, quoted=quoted, window=window)


def _without_marks(quote: str) -> str:
    """The words between quotation marks that stand round all of them: those are the quoting, not the quoted."""
    bare = quote.strip()
    is_marked = any(bare[:1] in marks and bare[-1:] in marks for marks in _MARKS) if bare else False
    return bare[1:-1] if is_marked else ""


def _pattern(quote: str) -> re.Pattern[str] | None:
    """A pattern of the quotation in which only what print changes is left open."""
    wanted = _composed(_DIVISION.sub("\u00ad", quote)).strip(" \t\n\r|")
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
    """With composed letters, ligatures and the like spelled out."""
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
            pieces.append(_DIVIDED)
    return "".join(pieces)


def _piece(word: str, position: int) -> tuple[str, int]:
    """The pattern of the next letters, and how many they are."""
    for letters, signs in _LIGATURES.items():
        if word.startswith(letters, position):
            spelled = _DIVIDED.join(map(re.escape, letters))
            if letters in {"ffi", "ffl"}:
                spelled = f"f{_DIVIDED}(?:f{_DIVIDED}{letters[2]}|{_LIGATURES[letters[1:]]})|ﬀ{_DIVIDED}{letters[2]}"
            return f"(?:{spelled}|[{signs}])", len(letters)
    letter = word[position]
    if letter == "\u00ad":  # divided in the quotation: with a hyphen or without
        return rf"(?:[{re.escape(_DASHES)}\u00ad]\s*)?", 1
    if letter in _DASHES:
        return _LIKE[letter] + r"(?:[^\S\n]*\n\s*)?", 1
    # as it stands, in parts, or as others write it (a superscript as a digit, but no power as more digits)
    forms = {letter: None, unicodedata.normalize("NFD", letter): None}
    if not (position and letter.isdigit() and word[position - 1].isdigit()):
        forms[unicodedata.normalize("NFKC", letter).strip()] = None
    if len(forms) > 1:
        return f"(?:{'|'.join(map(re.escape, forms))})", 1
    return _LIKE.get(letter, re.escape(letter)), 1


def _words(text: str) -> list[_Word]:
    """Words with their places; those divided at the end of a line are one."""
    words: list[_Word] = []
    for match in _WORD.finditer(text):
        key = _key(match[0])
        last = words[-1] if words else None
        if last and _DIVIDES.fullmatch(text, last.end, match.start()):
            words[-1] = _Word(last.key + key, last.start, match.end())
        else:
            words.append(_Word(key, match.start(), match.end()))
    return words


def _key(word: str) -> str:
    """As words are compared; a hyphen between letters may be the end of a line."""
    return _HYPHEN.sub("", unicodedata.normalize("NFKC", word).casefold().replace("’", "'"))


def _best_start(quoted: Sequence[str], words: Sequence[str]) -> int | None:
    """Where most pairs of neighbouring words of the quotation agree with the text, as an index of a word."""
    if len(quoted) < MIN_SAME_WORDS:
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
    # words left out or put in shift what follows: starts near each other count together
    reach = max(2, len(quoted) // 8)
    best = max(sorted(votes), key=lambda start: (sum(votes[start + step] for step in range(-reach, reach + 1)), -start))
    return max(best, 0)


def _compare(quote: str, text: str, *, quoted: Sequence[_Word], window: Sequence[_Word]) -> Near | None:
    matcher = SequenceMatcher(None, [word.key for word in quoted], [word.key for word in window], autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    same = sum(block.size for block in blocks)
    if same < MIN_SAME_WORDS:
        return None
    # words of the quotation before the first match and after the last one stand in the text's place of the same length
    first = max(blocks[0].b - blocks[0].a, 0)
    last = min(blocks[-1].b + blocks[-1].size + len(quoted) - blocks[-1].a - blocks[-1].size, len(window))
    similarity = 2 * same / (len(quoted) + last - first)
    if similarity < NEAR_SIMILARITY:
        return None
    differences: list[Difference] = []
    for tag, left, right, start, end in matcher.get_opcodes():
        inside = window[max(start, first) : min(end, last)]
        if tag == "equal" or (left == right and not inside):
            continue
        differences.append(_difference(quote, text, quoted=quoted[left:right], found=inside))
    if not differences:
        differences = _other_signs(quote, text, window[first].start, window[last - 1].end)
    return Near(window[first].start, window[last - 1].end, round(similarity, 4), tuple(differences))


def _difference(quote: str, text: str, *, quoted: Sequence[_Word], found: Sequence[_Word]) -> Difference:
    said = quote[quoted[0].start : quoted[-1].end] if quoted else ""
    stands = text[found[0].start : found[-1].end] if found else ""
    if not said:
        return Difference("missing", "", stands)
    return Difference("replaced" if stands else "added", said, stands)


def _other_signs(quote: str, text: str, start: int, end: int) -> list[Difference]:
    """The words are the same: what differs is capitals or signs between them, or round a number."""
    before, after = _SIGNS_BEFORE.search(text[:start]), _SIGNS_AFTER.match(text, end)
    start, end = before.start() if before else start, after.end() if after else end
    return [Difference("replaced", quote.strip(), text[start:end])]
