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
_PARTS: Final = load_data("numbers")["compounds"]
_TENS, _UNITS = "|".join(_PARTS["tens"].split()), "|".join(_PARTS["units"].split())
_JOINED: Final = re.compile(rf"\b({_UNITS})(?: ?und|\s+y\s+)({_TENS})\b|\b({_TENS})\s+y\s+({_UNITS})\b")
_HALVED: Final = _VALUES | load_data("numbers")["halved"]
_HALF: Final = re.compile(
    rf"\b(\d+|{'|'.join(_HALVED)})((?: \w+)?) (?:and|e|y)(?: a| un[ao]?)? (?:half|mezz[aoe]|medi[ao])\b"
    r"|\b(\w+)einhalb\b"
)
_COMPOUND: Final = re.compile(rf"\b({'|'.join(load_data('numbers')['compounds']['en_tens'].split())})[- ](\w+)")


def figures(text: str) -> set[str]:
    """Return the normalized numbers of a text, in digits or words: "ten years" and "10 years" are equal."""
    plain = join_compounds(fold(text))
    return numbers(plain) | {_VALUES[word] for word in _WORD.findall(plain) if word in _VALUES}


def join_compounds(plain: str) -> str:
    """Replace "twenty-five" by 25 in a folded text."""
    plain = _JOINED.sub(_join_tens, _COMPOUND.sub(_join_compound, plain))
    return _HALF.sub(_add_half, plain)


def _join_tens(match: re.Match[str]) -> str:
    """Replace "sechsundvierzig" and "cuarenta y seis" by 46."""
    return str(sum(int(_VALUES.get(word, "1")) for word in match.groups() if word))


def _add_half(match: re.Match[str]) -> str:
    """Replace "two and a half hours" and "due ore e mezza" by 2.5 and the unit."""
    word = match[1] or match[3]
    value = _HALVED.get(word, word)
    return f"{value}.5{match[2] or ''}" if value.isdigit() else match[0]


def _join_compound(match: re.Match[str]) -> str:
    """Replace "twenty-five" by 25."""
    unit = _VALUES.get(match[2], "1" if match[2] == "one" else "")
    return str(int(_VALUES[match[1]]) + int(unit)) if len(unit) == 1 else match[0]
