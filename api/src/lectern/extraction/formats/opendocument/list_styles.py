"""Numbers of the lists and headings of an OpenDocument file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from lectern.extraction.formats.office.docx_styles import to_number
from lectern.extraction.formats.office.numerals import to_letters, to_roman
from lectern.extraction.formats.xml_tree import Element, attribute, children, descendants, name_of

_FORMATS: Final[Mapping[str, Callable[[int], str]]] = {
    "1": str,
    "a": to_letters,
    "A": lambda number: to_letters(number).upper(),
    "i": to_roman,
    "I": lambda number: to_roman(number).upper(),
}
_OUTLINE: Final = "(outline)"
"""The levels of headings, among the list styles."""

_MAX_OUTLINE_LEVEL: Final = 9


@dataclass(frozen=True, slots=True)
class _Level:
    """A level of a list style. `shown` is the number of levels in a label. Without a format it has bullets."""

    format: str = ""
    prefix: str = ""
    suffix: str = ""
    start: int = 1
    shown: int = 1


class ListNumbers:
    """Count the items of numbered lists and the headings, to restore labels such as `2.1.`."""

    def __init__(self, content: Element | None = None, named: Element | None = None) -> None:
        parts = [part for part in (content, named) if part is not None]
        styles = (style for part in parts for style in descendants(part, "list-style", "outline-style"))
        self._levels = {
            attribute(style, "name") if name_of(style) == "list-style" else _OUTLINE: {
                to_number(attribute(level, "level"), otherwise=1) - 1: _read_level(level)
                for level in children(style, "list-level-style-number", "outline-level-style")
            }
            for style in styles
        }
        own = () if content is None else descendants(content, "style", without=frozenset({"body"}))
        self._unnumbered = {attribute(style, "name") for style in own if attribute(style, "list-style-name") == ""}
        self._counts: dict[str | None, list[int]] = {}

    def begin(self, element: Element, *, style: str | None, level: int) -> None:
        """Begin a list, at level 0 if it is the outermost. It continues the numbers of the one before if it says so."""
        counts = self._counts.setdefault(style, [])
        continues = attribute(element, "continue-numbering") == "true" or attribute(element, "continue-list")
        if level >= len(counts) or not continues:
            counts[level:] = [0] * (level - len(counts)) + [self._level(style, level).start - 1]

    def label(self, item: Element, *, style: str | None, level: int) -> str:
        """Return the label of the next item of the list that began last; `-` for bullets and unknown styles."""
        rule, counts = self._level(style, level), self._counts[style]
        counts[level] = to_number(attribute(item, "start-value"), otherwise=counts[level] + 1)
        if not rule.format:
            return "-"
        first = max(0, level + 1 - rule.shown)
        written = ((self._level(style, place).format, counts[place]) for place in range(first, level + 1))
        number = ".".join(_FORMATS.get(name, str)(count) for name, count in written if name)
        return f"{rule.prefix}{number}{rule.suffix}".strip()

    def heading_label(self, heading: Element, *, level: int) -> str:
        """Return the number of the next heading, at level 0 if it is the outermost. Empty if it has none."""
        if attribute(heading, "is-list-header") == "true" or attribute(heading, "style-name") in self._unnumbered:
            return ""
        level = min(level, _MAX_OUTLINE_LEVEL)
        counts = self._counts.setdefault(_OUTLINE, [])
        restarts = attribute(heading, "restart-numbering") == "true"
        del counts[level if restarts else level + 1 :]
        skipped = [self._level(_OUTLINE, place).start for place in range(len(counts), level)]
        counts += skipped
        if len(counts) == level:
            counts.append(self._level(_OUTLINE, level).start - 1)
        label = self.label(heading, style=_OUTLINE, level=level)
        return "" if label == "-" else label

    def _level(self, style: str | None, level: int) -> _Level:
        return self._levels.get(style, {}).get(level, _Level())


def _read_level(element: Element) -> _Level:
    return _Level(
        format=attribute(element, "num-format") or "",
        prefix=attribute(element, "num-prefix") or "",
        suffix=attribute(element, "num-suffix") or "",
        start=to_number(attribute(element, "start-value"), otherwise=1),
        shown=to_number(attribute(element, "display-levels"), otherwise=1),
    )
