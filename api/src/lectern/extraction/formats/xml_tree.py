"""XML and HTML as trees of elements, through lxml: no entities, no network, bounded depth.

Names are compared without their namespace, because it alone differs between strict and transitional Office files.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# lxml has no types

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
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
    """The part of an lxml element that is used. `tag` is no string for comments."""

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
    """Return the root of an XML document. Raises `Corrupt`, also for declared entities."""
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
    """Return the root of a web page, even a malformed one; None for an empty page.

    libxml2 drops elements below 2,048 levels. Raises `Corrupt`, `FileTooLarge`.
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
    """Decode a web page by byte order mark, declared encoding or a guess, in this order."""
    declared = _DECLARED_IN_XML.search(raw[:_HEAD_BYTES]) or _DECLARED_CHARSET.search(raw[:_HEAD_BYTES])
    if declared and not raw.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return decode_declared(raw, declared.group(1).decode("ascii", "replace"))
    return decode(raw)[0]


def decode_declared(raw: bytes, encoding: str | None) -> str:
    """Decode bytes by a declared encoding, or by a guess if it is unknown or they are invalid in it."""
    # Browsers read Latin-1 as Windows-1252 (WHATWG Encoding Standard, 4.2), and so do mail programs.
    name = "cp1252" if (encoding or "").lower() in {"iso-8859-1", "latin1", "latin-1"} else encoding
    with suppress(UnicodeError, LookupError, ValueError):
        raw = raw.decode(name).encode() if name else raw
    return decode(raw)[0]


def name_of(element: Element) -> str:
    """Return the name without its namespace; empty for comments."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str) -> str | None:
    """Return an attribute by its name without namespace. Use `relation_id` for ids of relations."""
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == name and _MARK_OF_RELATIONS not in key:
            return value
    return None


def relation_id(element: Element, name: str = "id") -> str | None:
    """Return the id of the relation that an element of an Office file names."""
    for key, value in element.attrib.items():
        if key.endswith(_MARK_OF_RELATIONS + name):
            return value
    return None


def children(element: Element, *names: str) -> Iterator[Element]:
    """Yield the children with these names."""
    return (child for child in element if name_of(child) in names)


def find(element: Element | None, *path: str) -> Element | None:
    """Follow a path: the first child of the first name, its first child of the second name, and so on."""
    for name in path:
        if element is None:
            return None
        element = next(children(element, name), None)
    return element


def descendants(element: Element, *names: str, without: frozenset[str] = frozenset()) -> Iterator[Element]:
    """Yield the descendants with these names, in order, skipping the subtrees of `without`."""
    stack = [iter(element)]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
            continue
        name = name_of(child)
        if name in without:
            continue
        if name in names:
            yield child
        stack.append(iter(child))


def text_of(element: Element) -> str:
    """Return all text below an element."""
    return text_with(element, whole=lambda child: None if name_of(child) else "")


def text_with(
    element: Element,
    *,
    whole: Callable[[Element], str | None],
    linked: Callable[[Element, str], str] = lambda _, text: text,
    after: Callable[[Element], str] = lambda _: "",
) -> str:
    """Return the text below an element of any depth, in linear time.

    `whole` returns the text that replaces an element, or None. `linked` rewrites the text below an `a`. `after` returns
    what follows the text of any other element.
    """
    pieces = [element.text or ""]
    starts: list[int] = []
    stack = [(element, iter(element))]
    while stack:
        parent, below = stack[-1]
        child = next(below, None)
        if child is None:
            stack.pop()
            if stack:
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
            stack.append((child, iter(child)))
    return "".join(pieces)
