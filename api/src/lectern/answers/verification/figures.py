"""Figures of a text, in digits or words (pure)."""

import re
from typing import Final

from lectern.answers.text_analysis import load_data, numbers
from lectern.search.query.question import fold

_WORD: Final = re.compile(r"[^\W\d_]+")


def number_words() -> dict[str, str]:
    """Map number words to their values, with the compounds that Italian writes as one word."""
    data = load_data("numbers")
    values = {word: value for value, words in data["values"].items() for word in words.split()}
    for stem in data["compounds"]["it_tens"].split():
        for unit, name in enumerate(data["compounds"]["it_units"].split(), start=1):
            values[(stem[:-1] if name[0] in "uo" else stem) + name] = str(int(values[stem]) + unit)
    return values


_VALUES: Final = number_words()
_COMPOUND: Final = re.compile(rf"\b({'|'.join(load_data('numbers')['compounds']['en_tens'].split())})[- ](\w+)")


def figures(text: str) -> set[str]:
    """Return the normalized numbers of a text, in digits or words: "ten years" and "10 years" are equal."""
    plain = join_compounds(fold(text))
    return numbers(plain) | {_VALUES[word] for word in _WORD.findall(plain) if word in _VALUES}


def join_compounds(plain: str) -> str:
    """Replace "twenty-five" by 25 in a folded text."""
    return _COMPOUND.sub(_join_compound, plain)


def _join_compound(match: re.Match[str]) -> str:
    """Replace "twenty-five" by 25."""
    unit = _VALUES.get(match[2], "1" if match[2] == "one" else "")
    return str(int(_VALUES[match[1]]) + int(unit)) if len(unit) == 1 else match[0]
