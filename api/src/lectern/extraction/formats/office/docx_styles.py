"""Styles and lists of a Word file: heading levels and the numbers of paragraphs."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from lectern.extraction.formats.office.numerals import to_letters, to_roman
from lectern.extraction.formats.office.package import is_on, value_of
from lectern.extraction.formats.xml_tree import Element, attribute, children, find
from lectern.extraction.patterns import any_of

_HEADING_NAME = re.compile(rf"(?:{any_of('heading_styles')})\s*([1-9])", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"%([1-9])")
_MAX_LEVEL = 9
_MAX_INHERITED = 20


@dataclass(frozen=True, slots=True)
class Style:
    """The role of paragraphs of a style: heading level (0: none), title, list."""

    level: int = 0
    is_title: bool = False
    list_id: str | None = None
    list_level: int = 0


def read_styles(root: Element | None) -> dict[str, Style]:
    """Return the paragraph styles by id, inheritance resolved."""
    elements = {} if root is None else {attribute(style, "styleId") or "": style for style in children(root, "style")}
    return {style_id: _style(style_id, elements) for style_id in elements}


def built_in_style(style_id: str) -> Style:
    """Return the role of a style that the file does not define, by the id that Word gives it."""
    return Style(level=_level(style_id, None))


def _style(style_id: str, elements: dict[str, Element]) -> Style:
    level, list_id, list_level, is_title = 0, None, None, False
    current: str | None = style_id
    for _ in range(_MAX_INHERITED):
        element = elements.get(current or "")
        if element is None:
            break
        name = value_of(element, "name") or ""
        properties = find(element, "pPr")
        is_title = is_title or name.lower() == "title"
        level = level or _level(name, value_of(properties, "outlineLvl"))
        list_id = list_id or value_of(properties, "numPr", "numId")
        list_level = list_level or value_of(properties, "numPr", "ilvl")
        current = value_of(element, "basedOn")
    return Style(level=1 if is_title else level, is_title=is_title, list_id=list_id, list_level=to_number(list_level))


def _level(name: str, outline_level: str | None) -> int:
    match = _HEADING_NAME.match(name)
    if match:
        return int(match.group(1))
    return outline_number(outline_level)


def outline_number(value: str | None) -> int:
    """Return the heading level of an outline level: 0..8 are levels 1..9, 9 is body text."""
    return to_number(value) + 1 if value is not None and 0 <= to_number(value, otherwise=_MAX_LEVEL) < _MAX_LEVEL else 0


def to_number(value: str | None, *, otherwise: int = 0) -> int:
    """Parse a small number of an attribute, else return `otherwise`."""
    return int(value) if value and len(value) <= _MAX_LEVEL and value.isascii() and value.isdigit() else otherwise


@dataclass(slots=True)
class _Level:
    format: str = "bullet"
    text: str = ""
    start: int = 1
    is_legal: bool = False
    """Levels above are written as digits: `1.2` below `Article I`."""


@dataclass(slots=True)
class Numbering:
    """Count the paragraphs of numbered lists, to restore labels such as `Art. 3.2`."""

    _levels: dict[str, dict[int, _Level]] = field(default_factory=dict[str, dict[int, _Level]])
    _abstract: dict[str, str] = field(default_factory=dict[str, str])
    _counts: dict[str, dict[int, int]] = field(default_factory=dict[str, dict[int, int]])
    _restarts: dict[str, dict[int, int]] = field(default_factory=dict[str, dict[int, int]])
    """The first numbers of lists that begin anew, removed once a list has begun."""

    @classmethod
    def read(cls, root: Element | None) -> "Numbering":
        """Read a numbering part."""
        numbering = cls()
        if root is None:
            return numbering
        named, linked = dict[str | None, str](), dict[str, str | None]()
        for abstract in children(root, "abstractNum"):
            levels = {
                to_number(attribute(level, "ilvl")): _Level(
                    value_of(level, "numFmt") or "decimal",
                    value_of(level, "lvlText") or "",
                    to_number(value_of(level, "start"), otherwise=1),
                    is_on(find(level, "isLgl")),
                )
                for level in children(abstract, "lvl")
            }
            abstract_id = attribute(abstract, "abstractNumId") or ""
            numbering._levels[abstract_id] = levels
            named[value_of(abstract, "styleLink")] = abstract_id
            linked[abstract_id] = value_of(abstract, "numStyleLink")
        for number in children(root, "num"):
            list_id = attribute(number, "numId") or ""
            abstract_id = value_of(number, "abstractNumId") or ""
            style = linked.get(abstract_id)
            numbering._abstract[list_id] = named.get(style, abstract_id) if style else abstract_id
            numbering._restarts[list_id] = {
                to_number(attribute(override, "ilvl")): to_number(start)
                for override in children(number, "lvlOverride")
                if (start := value_of(override, "startOverride")) is not None
            }
        return numbering

    def label(self, list_id: str, level: int) -> str:
        """Return the label of the next paragraph of a list; `-` for bullets and unknown lists."""
        abstract = self._abstract.get(list_id, "")
        levels = self._levels.get(abstract, {})
        rule = levels.get(level)
        if rule is None or rule.format in {"bullet", "none"} or "%" not in rule.text:
            return "-"
        counts = self._counts.setdefault(abstract, {})
        restart = self._restarts[list_id].pop(level, None)
        counts[level] = counts.get(level, rule.start - 1) + 1 if restart is None else restart
        for deeper in [other for other in counts if other > level]:
            del counts[deeper]

        def number(match: re.Match[str]) -> str:
            level = int(match.group(1)) - 1
            format_of = levels.get(level, rule)
            name = "decimal" if rule.is_legal else format_of.format
            return _FORMATS.get(name, str)(counts.get(level, format_of.start))

        return " ".join(_PLACEHOLDER.sub(number, rule.text).split()) or "-"


_FORMATS: dict[str, Callable[[int], str]] = {
    "lowerLetter": to_letters,
    "upperLetter": lambda number: to_letters(number).upper(),
    "lowerRoman": to_roman,
    "upperRoman": lambda number: to_roman(number).upper(),
    "decimalZero": lambda number: f"{number:02}",
}
