"""The figures of a sentence, in digits or in words, and whether they stand where the sentence puts them (pure).

That a number is somewhere in a passage proves little: "The annual fee is 500 euro" is not said by "The annual fee is
300 euro. The package covers 500 payments." So a figure must stand in a sentence (an entry, a row) that speaks of what
it is said of, and not in one that speaks of less of it than another sentence, which has another figure there. In a
table it must stand in a row and a column of which none is meant more.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, TypeVar

from lectern.answers.words import content_words, folded, numbers
from lectern.search.presentation.sentences import split_sentences

ThingT = TypeVar("ThingT")
_WORD: Final = re.compile(r"[^\W\d_]+")
_TOKEN: Final = re.compile(r"[^\W_]+")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_RULE: Final = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_BARE: Final = 1  # words of a line that has little but its figure, and stands under what it is of

# One is an article as often as a number. Words that mean something else in another of these languages are left out.
_UNITS: Final = (
    "two due zwei deux dos dois twee",
    "three tre drei trois tres drie",
    "four quattro vier quatre cuatro quatro",
    "five cinque funf cinq cinco vijf",
    "six sei sechs seis zes",
    "seven sette sieben sept siete zeven",
    "eight otto huit ocho oito",
    "nine nove nueve negen",
    "ten dieci zehn dix diez dez tien",
    "eleven undici onze",
    "twelve dodici zwolf douze doce doze twaalf",
    "thirteen tredici",
    "fourteen quattordici",
    "fifteen quindici quinze quince",
    "sixteen sedici",
    "seventeen diciassette",
    "eighteen diciotto",
    "nineteen diciannove",
)
_TENS: Final = (
    "twenty venti zwanzig vingt veinte vinte twintig",
    "thirty trenta dreissig trente treinta trinta dertig",
    "forty quaranta vierzig quarante cuarenta quarenta",
    "fifty cinquanta funfzig cinquante cincuenta cinquenta vijftig",
    "sixty sessanta sechzig soixante sesenta sessenta zestig",
    "seventy settanta siebzig setenta",
    "eighty ottanta achtzig ochenta oitenta",
    "ninety novanta neunzig noventa",
)
_ITALIAN_UNITS: Final = ("uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove")


def _values() -> dict[str, str]:
    values = {word: str(value) for value, words in enumerate(_UNITS, start=2) for word in words.split()}
    for tens, words in enumerate(_TENS, start=2):
        values |= dict.fromkeys(words.split(), str(tens * 10))
        stem = words.split()[1]
        for unit, name in enumerate(_ITALIAN_UNITS, start=1):
            values[(stem[:-1] if name[0] in "uo" else stem) + name] = str(tens * 10 + unit)
    return values | {"hundred": "100", "cento": "100", "hundert": "100", "cien": "100", "thousand": "1000"}


_VALUES: Final = _values()
_COMPOUND: Final = re.compile(r"\b(" + "|".join(words.split()[0] for words in _TENS) + r")[- ](\w+)")


def figures(text: str) -> set[str]:
    """Its numbers as they are worth, those in words too: "ten years" and "10 years" have the same one."""
    plain = _COMPOUND.sub(_joined, folded(text))
    return numbers(plain) | {_VALUES[word] for word in _WORD.findall(plain) if word in _VALUES}


def _joined(match: re.Match[str]) -> str:
    """Twenty-five as 25."""
    unit = _VALUES.get(match[2], "1" if match[2] == "one" else "")
    return str(int(_VALUES[match[1]]) + int(unit)) if len(unit) == 1 else match[0]


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence, entry or row."""

    words: frozenset[str]
    figures: frozenset[str]
    shared: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Meant:
    """What a row or a column is called: which of it is said, and whether all of it is."""

    said: frozenset[str]
    is_whole: bool


def are_in_place(sentence: str, units: Sequence[str], *, filed_under: str = "") -> bool:
    """Whether every figure of the sentence stands in one of the units where it may, or in what they are filed under."""
    said = figures(sentence) - figures(filed_under)
    if not said:
        return True
    words = frozenset(content_words(sentence))
    speaks = bool(words & set(content_words(filed_under)))
    read = [_read(part, words) for unit in units if not _is_row_of_cells(unit) for part in _sentences(unit)]
    cells = {value for table in _tables(units) for value in _in_cells(table, sentence)}
    return all(value in cells or _is_in_sentence(value, read, said=said, may_stand_alone=speaks) for value in said)


def _sentences(unit: str) -> list[str]:
    """A line among rows is one unit, and may be several sentences; an entry that ends with its price is one."""
    parts = [unit[span.start : span.end] for span in split_sentences(unit, content_type="text")]
    return parts if all(part.endswith((".", "!", "?")) and content_words(part) for part in parts) else [unit]


def _read(unit: str, words: frozenset[str]) -> _Unit:
    own = frozenset(content_words(unit))
    return _Unit(own, frozenset(figures(unit)), own & words)


def _is_in_sentence(value: str, units: Sequence[_Unit], *, said: AbstractSet[str], may_stand_alone: bool) -> bool:
    rivals = [unit for unit in units if _is_rival(unit, value, said=said)]
    return any(
        (unit.shared or may_stand_alone or len(unit.words) <= _BARE)
        and not any(unit.shared < rival.shared for rival in rivals)
        for unit in units
        if value in unit.figures
    )


def _is_rival(unit: _Unit, value: str, *, said: AbstractSet[str]) -> bool:
    """Whether a sentence has another figure in the value's place, which is not said; a year only in a year's."""
    others = unit.figures - said
    return value not in unit.figures and any(_YEAR.fullmatch(value) or not _YEAR.fullmatch(other) for other in others)


def _is_row_of_cells(unit: str) -> bool:
    return unit.lstrip().startswith("|")


def _tables(units: Iterable[str]) -> Iterator[list[list[str]]]:
    """Tables written with bars: the header, then the rows; those whose header is not ruled off have an empty one."""
    lines = [line.strip() for unit in units if _is_row_of_cells(unit) for line in unit.split("\n")]
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


def _in_cells(table: Sequence[Sequence[str]], sentence: str) -> set[str]:
    """Figures of the rows and columns that the sentence may mean, of their names, and of the table's header."""
    header, *rows = table
    said = _tokens(sentence)
    meant = [row for row, _ in _most_meant([(row, _meant(row[0], said)) for row in rows if row])]
    columns = _most_meant([(place, _meant(name, said)) for place, name in enumerate(header) if place])
    wanted = {0, *(place for place, _ in columns)} if header else None
    return figures(" ".join(header)) | {
        value
        for row in meant
        for place, cell in enumerate(row)
        if wanted is None or place in wanted or place >= len(header)
        for value in figures(cell)
    }


def _tokens(text: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(folded(text)))


def _meant(name: str, said: frozenset[str]) -> _Meant:
    tokens = _tokens(name)
    return _Meant(tokens & said, bool(tokens) and tokens <= said)


def _most_meant(things: Sequence[tuple[ThingT, _Meant]]) -> list[tuple[ThingT, _Meant]]:
    """Those of which no other is meant more: with more of its name said, or with all of it where this has the same."""

    def is_less(one: _Meant, other: _Meant) -> bool:
        return one.said < other.said or (one.said == other.said and other.is_whole and not one.is_whole)

    return [(thing, meant) for thing, meant in things if not any(is_less(meant, other) for _, other in things)]
