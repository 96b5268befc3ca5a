"""Figures of a sentence, in digits or words, and their place in the evidence (pure).

A number somewhere in a chunk proves little: "The annual fee is 300 euro. The package covers 500 payments."
does not support "The annual fee is 500 euro".

A figure must be in a sentence that shares words with the claim, and no other
sentence with another figure may share more of them. In a table it must be in the row and the column that match best.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, TypeVar

from lectern.answers.text_analysis import content_words, load_data, numbers
from lectern.search.presentation.sentences import split_sentences
from lectern.search.query.question import fold

ItemT = TypeVar("ItemT")
_WORD: Final = re.compile(r"[^\W\d_]+")
_TOKEN: Final = re.compile(r"[^\W_]+")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_RULE: Final = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_MAX_BARE_WORDS: Final = 1  # of a line with little but its figure, below the text it belongs to


def _load_number_words() -> dict[str, str]:
    """Map number words to their values, with the compounds that Italian writes as one word."""
    data = load_data("numbers")
    values = {word: value for value, words in data["values"].items() for word in words.split()}
    for stem in data["compounds"]["it_tens"].split():
        for unit, name in enumerate(data["compounds"]["it_units"].split(), start=1):
            values[(stem[:-1] if name[0] in "uo" else stem) + name] = str(int(values[stem]) + unit)
    return values


_VALUES: Final = _load_number_words()
_COMPOUND: Final = re.compile(rf"\b({'|'.join(load_data('numbers')['compounds']['en_tens'].split())})[- ](\w+)")


def figures(text: str) -> set[str]:
    """Return the normalized numbers of a text, in digits or words: "ten years" and "10 years" are equal."""
    plain = _COMPOUND.sub(_join_compound, fold(text))
    return numbers(plain) | {_VALUES[word] for word in _WORD.findall(plain) if word in _VALUES}


def _join_compound(match: re.Match[str]) -> str:
    """Replace "twenty-five" by 25."""
    unit = _VALUES.get(match[2], "1" if match[2] == "one" else "")
    return str(int(_VALUES[match[1]]) + int(unit)) if len(unit) == 1 else match[0]


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence, list item or row. `shared` are its words that the claim has too."""

    words: frozenset[str]
    figures: frozenset[str]
    shared: frozenset[str]


@dataclass(frozen=True, slots=True)
class _NameMatch:
    """The part of a row's or column's name that the claim has, and whether that is the whole name."""

    matched: frozenset[str]
    is_whole: bool


def are_in_place(sentence: str, units: Sequence[str], *, names: str = "") -> bool:
    """Return True if every figure of the sentence has a valid place in the units, or is in the names above them."""
    claimed = figures(sentence) - figures(names)
    if not claimed:
        return True
    words = frozenset(content_words(sentence))
    is_named = bool(words & set(content_words(names)))
    parsed = [_parse_unit(part, words) for unit in units if not _is_table_row(unit) for part in _split_unit(unit)]
    cells = {value for table in _tables(units) for value in _matching_cells(table, sentence)}
    return all(
        value in cells or _is_in_unit(value, parsed, claimed=claimed, may_lack_words=is_named) for value in claimed
    )


def _split_unit(unit: str) -> list[str]:
    """Split a line into its sentences. A list item that ends with its price stays whole."""
    parts = [unit[span.start : span.end] for span in split_sentences(unit, content_type="text")]
    return parts if all(part.endswith((".", "!", "?")) and content_words(part) for part in parts) else [unit]


def _parse_unit(unit: str, words: frozenset[str]) -> _Unit:
    own = frozenset(content_words(unit))
    return _Unit(own, frozenset(figures(unit)), own & words)


def _is_in_unit(value: str, units: Sequence[_Unit], *, claimed: AbstractSet[str], may_lack_words: bool) -> bool:
    rivals = [unit for unit in units if _is_rival(unit, value, claimed=claimed)]
    return any(
        (unit.shared or may_lack_words or len(unit.words) <= _MAX_BARE_WORDS)
        and not any(unit.shared < rival.shared for rival in rivals)
        for unit in units
        if value in unit.figures
    )


def _is_rival(unit: _Unit, value: str, *, claimed: AbstractSet[str]) -> bool:
    """Return True if a unit has another figure instead of the value. Only a year can replace a year."""
    others = unit.figures - claimed
    return value not in unit.figures and any(_YEAR.fullmatch(value) or not _YEAR.fullmatch(other) for other in others)


def _is_table_row(unit: str) -> bool:
    return unit.lstrip().startswith("|")


def _tables(units: Iterable[str]) -> Iterator[list[list[str]]]:
    """Yield Markdown tables as a header and rows. The header is empty without a rule below it."""
    lines = [line.strip() for unit in units if _is_table_row(unit) for line in unit.split("\n")]
    table: list[list[str]] = [[]]
    for place, line in enumerate(lines):
        if _RULE.fullmatch(line):
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if place + 1 < len(lines) and _RULE.fullmatch(lines[place + 1]):
            yield table
            table = [cells]
        else:
            table.append(cells)
    yield table


def _matching_cells(table: Sequence[Sequence[str]], sentence: str) -> set[str]:
    """Return the figures of the best matching rows and columns, of their names, and of the header."""
    header, *rows = table
    claimed = _tokens(sentence)
    matching = _best_matches([(row, _match_name(row[0], claimed)) for row in rows if row])
    columns = _best_matches([(place, _match_name(name, claimed)) for place, name in enumerate(header) if place])
    wanted = {0, *columns} if header else None
    return figures(" ".join(header)) | {
        value
        for row in matching
        for place, cell in enumerate(row)
        if wanted is None or place in wanted or place >= len(header)
        for value in figures(cell)
    }


def _tokens(text: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(fold(text)))


def _match_name(name: str, claimed: frozenset[str]) -> _NameMatch:
    tokens = _tokens(name)
    return _NameMatch(tokens & claimed, bool(tokens) and tokens <= claimed)


def _best_matches(items: Sequence[tuple[ItemT, _NameMatch]]) -> list[ItemT]:
    """Return the items that no other item beats, with more of its name or with the same part as its whole name."""

    def is_beaten(one: _NameMatch, other: _NameMatch) -> bool:
        same = one.matched == other.matched
        return one.matched < other.matched or (same and other.is_whole and not one.is_whole)

    return [item for item, match in items if not any(is_beaten(match, other) for _, other in items)]
