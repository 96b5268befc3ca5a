"""Tokens of a text: words, numbers, limits, places and punctuation, with their distances (pure)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lectern.answers.text_analysis import compile_any, load_data
from lectern.answers.verification.figures import join_compounds, number_words
from lectern.search.query.question import fold

DATA: Final = load_data("quantities")
UNITS: Final = {
    word: (dimension, float(factor))
    for dimension, factors in DATA["units"].items()
    for factor, words in factors.items()
    for word in words.split()
}
SCALES: Final = {word: float(scale) for scale, words in DATA["scales"].items() for word in words.split()}
ORDINALS: Final = {word: float(value) for value, words in DATA["ordinals"].items() for word in words.split()}
VALUES: Final = {word: float(value) for word, value in number_words().items() if word not in SCALES} | ORDINALS
RATES: Final = {word: UNITS[unit] for unit, words in DATA["rates"].items() for word in words.split()}
CALENDAR: Final = {word: name for name, words in DATA["calendar"].items() for word in words.split()}
_PLACES: Final = {
    fold(name.strip()): "place:" + fold(names.split(",")[0]).replace(" ", "")
    for names in load_data("exonyms")["places"]
    for name in names.split(",")
}
_PLACE: Final = compile_any([rf"\b(?:{'|'.join(sorted(map(re.escape, _PLACES), key=len, reverse=True))})\b"])
_PHRASES: Final = [(mark, compile_any([rf"\b(?:{'|'.join(words)})\b"])) for mark, words in DATA["phrases"].items()]
_LIMITS: Final = [
    (step["direction"], compile_any([rf"\b(?:{'|'.join(step['patterns'])})\b"])) for step in DATA["limits"]
]
_TOKEN: Final = re.compile(
    r"(?P<limit>‹(?:down|up)[-+]?›)|(?P<place>(?:place|period):\w+)|(?P<number>\d+(?:[.,'’\u00a0\u202f]\d+)*(?![.,]\d|[\w/-]*[^\W_]))"
    r"|(?P<closed>\)(?=\s?%))|(?P<word>[^\W_]+(?:[-./:&][^\W_]+)*)|(?P<symbol>[%€$£])|(?P<break>[.;:!?()|]+)|(?P<comma>,)"
)
_ATTACHED: Final = re.compile(r"(\d+(?:[.,]\d+)*)[-–]?([^\W\d_]+)")
_COMPOUND: Final = re.compile(r"(\d+(?:[.,]\d+)?)((?:-[^\W\d_]+)+)")
_DATE: Final = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-]((?:19|20)\d\d)")
_ORDINAL_DAY: Final = re.compile(rf"\b(\d{{1,2}})\.(?=\s(?:{'|'.join(CALENDAR)})\b)")  # 30. Juni
_SYMBOLS: Final[dict[str, str]] = DATA["symbols"]
_SYMBOL: Final = re.compile(rf"(?<=, )[{''.join(_SYMBOLS)}](?=$| \|)")  # "Delay, h"
_RANGE: Final = re.compile(r"(?<=\d)[–-](?=\d)")
_PER: Final = re.compile(rf"(?<=[^\W\d_]|[€$£%])/(?=(?:{'|'.join(filter(str.isalpha, UNITS))})\b)")  # EUR/kg
_TIME: Final = re.compile(r"\b(\d{1,2}):(?=\d\d\b)")  # 15:00
_NO_ZERO: Final = re.compile(r"(?<![\w.])(?=\.\d)")  # .5
_OF: Final = re.compile(r"(?<![\w/.,-])(\d+)/(\d+)(?![\w/.,-]?\w)")  # 27/100
_ANSWER: Final = re.compile(rf"(?:{'|'.join(DATA['grammar']['answers'])}),\s")
_ELISION: Final = re.compile(rf"\b(?:{'|'.join(DATA['grammar']['elisions'])})'(?=\w)")
_MONTHS: Final = tuple({name: word for word, name in reversed(CALENDAR.items())}.values())[::-1][:12]
MONTHS_BEFORE_DAYS: Final = frozenset(_MONTHS)  # the English ones
_LETTER: Final = re.compile(r"(?<=\w )([A-HJ-Z])(?=[\s,;:)|]|\.(?!\w)|$)")  # "Lamp B": words of one letter are ignored
LETTER_STEM: Final = re.compile(r"q[a-z]q")
_CONJUNCTION_DISTANCE: Final = 4
_ORDINAL_ENDINGS: Final = frozenset({"st", "nd", "rd", "th", "o"})  # 3rd, 3º
_MAY: Final = re.compile(  # other words too, unless a date or a cell of a table
    rf"((?<=\d)\.?\s(?:of\s)?|\b(?:{'|'.join(DATA['grammar']['before_months'])})\s)(?:may|mai)\b"
    r"|\b(?:may|mai)(?=\s\d)|(?:(?<=\|\s)|^)(?:may|mai)(?=\s\||$)"
)
_DUE: Final = re.compile(  # not the Italian "two"
    rf"\b({'|'.join(DATA['grammar']['before_due'])}) due\b|\bdue(?= (?:{'|'.join(DATA['grammar']['after_due'])})\b)"
)
_CLOCK: Final = re.compile(  # 7:30pm
    r"(?<![\d:.,])(\d{1,2})((?:[:.]\d\d)?)(?:\s?(p)\.?\s?m|am|\s?a\.\s?m)\b"
)
_MONEY: Final = "|".join(
    rf"\b{word}\b" if word.isalpha() else re.escape(word)
    for word, (dimension, _) in UNITS.items()
    if dimension.startswith("money")
)
_AMOUNT: Final = r"\d+(?:[.,]\d+)*"
_MONEY_SCALE: Final = re.compile(  # "$8.2m", "8.2bn euros", "€m"
    rf"((?:{_MONEY})\s?{_AMOUNT})(\s?m|[kb]|\s?bn)\b|\b({_AMOUNT})(\s?m|[kb]|\s?bn)(?=\s?(?:{_MONEY}))"
    rf"|({_MONEY})\s?(m)\b"
)
_MONEY_SCALES: Final = {"k": "thousand", "m": "million", "b": "billion", "bn": "billion"}
_QUARTERS: Final = [
    (
        f"period:q{number}",
        re.compile(rf"\b(?:{words})\s+(?:quarter|trimestre|quartal)\w*|\bq{number}\b|(?<=\|\s)(?:{words})\s*$"),
    )
    for number, words in DATA["quarters"].items()
]
_FISCAL_YEAR: Final = re.compile(r"\bfy\s?'?(?:20)?(\d\d)\b")
_CONJUNCTIONS: Final = frozenset(DATA["grammar"]["conjunctions"])
_COMMA_DISTANCE: Final = 3
_BREAK_DISTANCE: Final = 6


@dataclass(frozen=True, slots=True)
class TextToken:
    """A part of a text. `position` counts words, and more for punctuation."""

    kind: str
    text: str
    position: float


def normalize_text(text: str) -> str:
    """Fold a text and replace what is written in several ways by one mark."""
    plain = join_compounds(" ".join(fold(_LETTER.sub(r"q\1q", text)).split()))
    plain = _SYMBOL.sub(lambda match: _SYMBOLS[match[0]], plain)
    for mark, pattern in _PHRASES:
        plain = pattern.sub(mark, plain)
    plain = _PER.sub(" per ", _ELISION.sub("", plain))
    plain = _ANSWER.sub("", plain, count=1) if _ANSWER.match(plain) else plain
    plain = _DUE.sub(lambda match: f"{match[1] or ''} payable", plain)
    plain = _MAY.sub(lambda match: f"{match[1] or ''}{_MONTHS[4]}", plain)
    plain = _CLOCK.sub(lambda match: f"{int(match[1]) % 12 + (12 if match[3] else 0)}{match[2]}", plain)
    plain = _MONEY_SCALE.sub(_write_scale, plain)
    plain = _NO_ZERO.sub("0", _TIME.sub(r"\1.", plain))
    for mark, pattern in _QUARTERS:
        plain = pattern.sub(mark, plain)
    plain = _DATE.sub(lambda match: f"{match[1]} {_month(match[2])} {match[3]}", plain)
    plain = _ORDINAL_DAY.sub(r"\1", _OF.sub(r"\1 / \2", plain))
    plain = _FISCAL_YEAR.sub(r"20\1", _RANGE.sub(" - ", plain))
    for limit, pattern in _LIMITS:
        plain = pattern.sub(f" ‹{limit}› ", plain)
    return _PLACE.sub(lambda match: _PLACES[match[0]], plain)


def _write_scale(match: re.Match[str]) -> str:
    """Write "$8.2 million" for "$8.2m"."""
    amount, letters = (group for group in match.groups() if group is not None)
    return f"{amount} {_MONEY_SCALES[letters.strip()]}"


def _month(number: str) -> str:
    return _MONTHS[int(number) - 1] if 1 <= int(number) <= len(_MONTHS) else number


def tokenize(text: str) -> Iterator[TextToken]:
    """Yield the tokens of a normalized text."""
    position = 0.0
    for match in _TOKEN.finditer(text):
        kind, written = str(match.lastgroup), match[0]
        if kind == "closed":  # (12.5)%
            continue
        if kind in {"comma", "break"}:
            position += _COMMA_DISTANCE if kind == "comma" else _BREAK_DISTANCE
            yield TextToken(kind, written, position)
            continue
        for part, part_kind in _split(written, kind):
            position += _CONJUNCTION_DISTANCE if part in _CONJUNCTIONS else 1
            yield TextToken(part_kind, part, position)


def _split(written: str, kind: str) -> Iterator[tuple[str, str]]:
    """Split "65dB" and "24-month" into number and unit, and compounds into words. Codes stay whole."""
    attached = _ATTACHED.fullmatch(written) if kind == "word" else None
    if attached and (attached[2] in UNITS or attached[2] in _ORDINAL_ENDINGS):
        yield attached[1], "number"
        yield from ((word, "word") for word in attached.groups()[1:] if word in UNITS)
    elif written in UNITS:
        yield written, "word"
    elif kind == "word" and (compound := _COMPOUND.fullmatch(written)):  # 11-kV-Kabel
        yield compound[1], "number"
        yield from ((part, "word") for part in compound[2].split("-") if part)
    elif kind == "word" and any(map(str.isdigit, written)):
        yield written, "code"
    elif kind == "word":
        yield from ((part, "word") for part in re.split(r"[-/&.:]", written) if part)
    else:
        yield written, "word" if kind == "symbol" else kind
