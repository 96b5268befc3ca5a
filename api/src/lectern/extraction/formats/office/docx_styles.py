"""What a Word file says of its styles and lists: heading levels and the numbers in front of paragraphs."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from lectern.extraction.formats.office.package import value_of
from lectern.extraction.formats.xml_tree import Element, attribute, children, find

_HEADING_NAME = re.compile(r"(?:heading|titolo|überschrift|titre|título|kop|rubrik)\s*([1-9])", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"%([1-9])")
_MAX_LEVEL = 9
_MOST_INHERITED = 20
_ALPHABET = 26
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
          (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_MAX_NUMBER = 3_999


@dataclass(frozen=True, slots=True)
class Style:
    """What a paragraph of a style is: a heading of a level (0: none), an item of a list, the title."""

    level: int = 0
    is_title: bool = False
    list_id: str | None = None
    list_level: int = 0


def read_styles(root: Element | None) -> dict[str, Style]:
    """The paragraph styles by their id, with what they inherit."""
    elements = {} if root is None else {attribute(style, "styleId") or "": style for style in children(root, "style")}
    return {style_id: _style(style_id, elements) for style_id in elements}


def _style(style_id: str, elements: dict[str, Element]) -> Style:
    level, list_id, list_level, is_title = 0, None, 0, False
    current: str | None = style_id
    for _ in range(_MOST_INHERITED):
        element = elements.get(current or "")
        if element is None:
            break
        name = value_of(element, "name") or ""
        properties = find(element, "pPr")
        is_title = is_title or name.lower() == "title"
        level = level or _level(name, value_of(properties, "outlineLvl"))
        if list_id is None:
            list_id = value_of(properties, "numPr", "numId")
            list_level = to_number(value_of(properties, "numPr", "ilvl"))
        current = value_of(element, "basedOn")
    return Style(level=1 if is_title else level, is_title=is_title, list_id=list_id, list_level=list_level)


def _level(name: str, outline_level: str | None) -> int:
    match = _HEADING_NAME.match(name)
    if match:
        return int(match.group(1))
    return outline_number(outline_level)


def outline_number(value: str | None) -> int:
    """The heading level of an outline level: 0..8 are levels 1..9, 9 is body text."""
    return to_number(value) + 1 if value is not None and 0 <= to_number(value, otherwise=_MAX_LEVEL) < _MAX_LEVEL else 0


def to_number(value: str | None, *, otherwise: int = 0) -> int:
    """A small number from an attribute; `otherwise` where it is none."""
    return int(value) if value and len(value) <= _MAX_LEVEL and value.isascii() and value.isdigit() else otherwise


@dataclass(slots=True)
class _Level:
    format: str = "bullet"
    text: str = ""
    start: int = 1


@dataclass(slots=True)
class Numbering:
    """Counts the paragraphs of numbered lists, so that `Art. 3.2` reads as it is printed."""

    _levels: dict[str, dict[int, _Level]] = field(default_factory=dict[str, dict[int, _Level]])
    _abstract: dict[str, str] = field(default_factory=dict[str, str])
    _counts: dict[str, dict[int, int]] = field(default_factory=dict[str, dict[int, int]])

    @classmethod
    def read(cls, root: Element | None) -> "Numbering":
        """The lists of a numbering part."""
        made = cls()
        if root is None:
            return made
        for abstract in children(root, "abstractNum"):
            levels = {
                to_number(attribute(level, "ilvl")): _Level(
                    value_of(level, "numFmt") or "decimal",
                    value_of(level, "lvlText") or "",
                    to_number(value_of(level, "start"), otherwise=1),
                )
                for level in children(abstract, "lvl")
            }
            made._levels[attribute(abstract, "abstractNumId") or ""] = levels
        for number in children(root, "num"):
            made._abstract[attribute(number, "numId") or ""] = value_of(number, "abstractNumId") or ""
        return made

    def label(self, list_id: str, level: int) -> str:
        """What stands in front of the next paragraph of a list; `-` for bullets and for lists unknown."""
        abstract = self._abstract.get(list_id, "")
        levels = self._levels.get(abstract, {})
        rule = levels.get(level)
        if rule is None or rule.format in {"bullet", "none"} or "%" not in rule.text:
            return "-"
        counts = self._counts.setdefault(abstract, {})
        counts[level] = counts.get(level, rule.start - 1) + 1
        for deeper in [other for other in counts if other > level]:
            del counts[deeper]

        def shown(match: re.Match[str]) -> str:
            asked = int(match.group(1)) - 1
            known = levels.get(asked, rule)
            return _FORMATS.get(known.format, str)(counts.get(asked, known.start))

        return " ".join(_PLACEHOLDER.sub(shown, rule.text).split()) or "-"


def _letter(number: int) -> str:
    return chr(ord("a") + (number - 1) % _ALPHABET) * min((number - 1) // _ALPHABET + 1, 10) if number > 0 else "0"


def _roman(number: int) -> str:
    if not 0 < number <= _MAX_NUMBER:
        return str(number)
    written = ""
    for value, sign in _ROMAN:
        while number >= value:
            written += sign
            number -= value
    return written


_FORMATS: dict[str, Callable[[int], str]] = {
    "lowerLetter": _letter,
    "upperLetter": lambda number: _letter(number).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    "decimalZero": lambda number: f"{number:02}",
}
