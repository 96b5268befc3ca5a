"""XML and HTML as trees of elements, through lxml: no entities, no network, no scripts run, bounded depth.

Names are compared without their namespace: the strict and the transitional variant of Office files differ in it only.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# lxml carries no types; this is the one file that sees it

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol, cast

from lxml import (
    etree,  # pyright: ignore[reportAttributeAccessIssue] - a compiled module
    html,
)

from lectern.extraction.errors import Corrupt, FileTooLarge
from lectern.extraction.formats.archive import refuse_entities
from lectern.extraction.formats.text import decode

_MARK_OF_RELATIONS = "relationships}"
_DECLARED_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{2,40})""", re.IGNORECASE)
_DECLARED_IN_XML = re.compile(rb"""\A\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w:.-]{2,40})""")
_HEAD_BYTES = 4096


class Element(Protocol):
    """What is used of an element; `tag` is no string for comments and processing instructions."""

    @property
    def tag(self) -> object: ...
    @property
    def text(self) -> str | None: ...
    @property
    def tail(self) -> str | None: ...
    @property
    def attrib(self) -> Mapping[str, str]: ...
    def __iter__(self) -> Iterator["Element"]: ...


def parse_xml(raw: bytes) -> Element:
    """The root of an XML document. Raises `Corrupt`, also for one that declares entities."""
    refuse_entities(raw)
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(raw, parser)
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        raise Corrupt("The file is damaged: a part of it is no valid XML.") from error
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise Corrupt("The file declares XML entities, which are not read.")
    return cast("Element", root)


def parse_html(raw: bytes) -> Element | None:
    """The root of a web page, however it is written; None when there is nothing in it.

    libxml2 takes 2,048 levels and leaves out what lies deeper. Raises `Corrupt`, `FileTooLarge`.
    """
    text = decode_markup(raw)
    if not text.strip():
        return None
    parser = html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(text.encode(), parser=parser)
        if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
            raise FileTooLarge("The page is nested too deeply.")
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError) as error:
        raise Corrupt("The file is damaged: it is no web page that could be read.") from error
    return cast("Element", root)


def decode_markup(raw: bytes) -> str:
    """The text of a web page: a byte order mark decides, else the encoding that it declares, else a guess."""
    declared = _DECLARED_IN_XML.search(raw[:_HEAD_BYTES]) or _DECLARED_CHARSET.search(raw[:_HEAD_BYTES])
    if declared and not raw.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        name = declared.group(1).decode("ascii", "replace").lower()
        # browsers read these names as Windows-1252 (WHATWG Encoding Standard, 4.2)
        name = "cp1252" if name in {"iso-8859-1", "latin1", "us-ascii", "ascii"} else name
        if can_decode(raw, name):
            return decode(raw.decode(name).encode())[0]
    return decode(raw)[0]


def can_decode(raw: bytes, encoding: str) -> bool:
    """Whether bytes can be read in an encoding that somebody declared."""
    try:
        raw.decode(encoding).encode()
    except (UnicodeError, LookupError, ValueError):
        return False
    return True


def name_of(element: Element) -> str:
    """The name without its namespace; empty for what is no element."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str) -> str | None:
    """An attribute by its name without namespace; a relation's id is asked for by `relation_id`."""
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == name and _MARK_OF_RELATIONS not in key:
            return value
    return None


def relation_id(element: Element, name: str = "id") -> str | None:
    """The id of the relation that an element of an Office file names."""
    for key, value in element.attrib.items():
        if key.endswith(_MARK_OF_RELATIONS + name):
            return value
    return None


def children(element: Element, *names: str) -> Iterator[Element]:
    """The children of these names."""
    return (child for child in element if name_of(child) in names)


def find(element: Element | None, *path: str) -> Element | None:
    """The first child of the first name, its first child of the second name, and so on."""
    for name in path:
        if element is None:
            return None
        element = next(children(element, name), None)
    return element


def descendants(element: Element, *names: str, without: frozenset[str] = frozenset()) -> Iterator[Element]:
    """The elements of these names below, in order; nothing below one of `without`."""
    waiting = [iter(element)]
    while waiting:
        child = next(waiting[-1], None)
        if child is None:
            waiting.pop()
            continue
        name = name_of(child)
        if name in without:
            continue
        if name in names:
            yield child
        waiting.append(iter(child))


def text_of(element: Element) -> str:
    """All text below an element."""
    return text_with(element, whole=lambda child: None if name_of(child) else "")


def text_with(
    element: Element,
    *,
    whole: Callable[[Element], str | None],
    linked: Callable[[Element, str], str] = lambda _, text: text,
    after: Callable[[Element], str] = lambda _: "",
) -> str:
    """The text below an element, parts of it put otherwise; as deep as it may be, in linear time.

    `whole` says what an element stands for, whatever is below it, or None; `linked` what the text below an `a` becomes;
    `after` what follows the text of any other element.
    """
    pieces = [element.text or ""]
    starts: list[int] = []
    waiting = [(element, iter(element))]
    while waiting:
        parent, below = waiting[-1]
        child = next(below, None)
        if child is None:
            waiting.pop()
            if waiting:
                start = starts.pop()
                if name_of(parent) == "a":
                    pieces[start:] = [linked(parent, "".join(pieces[start:]))]
                else:
                    pieces.append(after(parent))
                pieces.append(parent.tail or "")
        elif (text := whole(child)) is not None:
            pieces += [text, child.tail or ""]
        else:
            starts.append(len(pieces))
            pieces.append(child.text or "")
            waiting.append((child, iter(child)))
    return "".join(pieces)
