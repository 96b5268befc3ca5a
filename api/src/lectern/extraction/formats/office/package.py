"""Office packages: XML parts with relations between them (ISO/IEC 29500-2).

Parts are read from the XML. The usual libraries refuse the strict variant and skip notes, comments, text boxes and
content controls (docs/adr/0015-parse-office-files-from-their-xml.md).
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lectern.extraction.errors import Corrupt
from lectern.extraction.formats.archive import Archive, open_archive, resolve
from lectern.extraction.formats.xml_tree import Element, attribute, children, find, name_of, parse_xml, text_of
from lectern.extraction.layout.text_cleaning import clean_text
from lectern.extraction.types import EmbeddedImage, ExtractionLimits

if TYPE_CHECKING:
    from lectern.extraction.formats.image import ImageSize

_CORE = ("title", "creator", "subject", "description", "keywords", "language", "created", "modified")
_EMU_PER_INCH = 914_400
_MIN_SQUARE_INCHES = 2.5
_MIN_PIXELS = 20_000
_MAX_INFORMATION_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class Relation:
    """A reference to another part, or to an address if `is_external`."""

    kind: str
    target: str
    is_external: bool


class Package:
    """An Office file."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._image_sizes: dict[str, ImageSize | None] = {}

    def main_part(self) -> str:
        """Return the name of the main part. Raises `Corrupt`."""
        for relation in self.relations("").values():
            if relation.kind == "officeDocument" and relation.target in self._archive:
                return relation.target
        raise Corrupt("The file is damaged: it does not say which of its parts is the document.")

    def relations(self, part: str) -> dict[str, Relation]:
        """Return the relations of a part by id; those of the package for an empty name."""
        folder, _, name = part.rpartition("/")
        source = f"{folder}/_rels/{name}.rels".lstrip("/")
        if source not in self._archive:
            return {}
        relations: dict[str, Relation] = {}
        for element in children(parse_xml(self._archive.read(source)), "Relationship"):
            is_external = attribute(element, "TargetMode") == "External"
            target = attribute(element, "Target") or ""
            kind = (attribute(element, "Type") or "").rpartition("/")[2]
            relations[attribute(element, "Id") or ""] = Relation(
                kind, target if is_external else resolve(part, target), is_external
            )
        return relations

    def find_part(self, part: str, kind: str) -> Element | None:
        """Return the first part of a kind that another part refers to, if any."""
        related = (self.follow(relation) for relation in self.relations(part).values() if relation.kind == kind)
        return next((root for root in related if root is not None), None)

    def follow(self, relation: Relation | None) -> Element | None:
        """Return the root of the part that a relation leads to, if there is one. Raises `Corrupt`, `FileTooLarge`."""
        if relation is None or relation.is_external or relation.target not in self._archive:
            return None
        return self.read(relation.target)

    def read(self, part: str) -> Element:
        """Return the root of a part. Raises `Corrupt`, `FileTooLarge`."""
        return parse_xml(self._archive.read(part))

    def find_image(self, relation: Relation | None, *, displayed_emu: tuple[int, int] = (0, 0)) -> EmbeddedImage | None:
        """Return the image that a relation leads to, if it may show text. Its size as shown is 0 when unknown.

        Small ones are icons and logos. Raises `Corrupt`, `FileTooLarge`.
        """
        width, height = (side / _EMU_PER_INCH for side in displayed_emu)
        if relation is None or relation.is_external or relation.target not in self._archive:
            return None
        size = self._image_size(relation.target)
        if size is None or 0 < width * height < _MIN_SQUARE_INCHES or size.width * size.height < _MIN_PIXELS:
            return None
        dpi = size.width / width if width > 0 else size.dpi
        part = relation.target
        return EmbeddedImage(0.0, 0.0, 1.0, 1.0, size.width * size.height, dpi, key=part, part=part)

    def _image_size(self, part: str) -> "ImageSize | None":
        from lectern.extraction.formats.image import read_image_size

        if part not in self._image_sizes:
            self._image_sizes[part] = read_image_size(self._archive.read(part))
        return self._image_sizes[part]

    def __contains__(self, part: str) -> bool:
        """Return whether there is such a part."""
        return part in self._archive

    def information(self) -> dict[str, str]:
        """Return the core properties: title, creator, language and so on."""
        cores = (self.find_part("", kind) for kind in ("core-properties", "coreProperties"))
        core = next((core for core in cores if core is not None), None)
        return {} if core is None else information_of(core)


def information_of(parent: Element) -> dict[str, str]:
    """Return the Dublin Core properties below an element by name. The first of each counts."""
    information: dict[str, str] = {}
    for child in parent:
        name = name_of(child)
        value = " ".join(clean_text(text_of(child)).split())[:_MAX_INFORMATION_CHARACTERS]
        if name in _CORE and value:
            information.setdefault(name, value)
    return information


@contextmanager
def open_package(path: Path, *, limits: ExtractionLimits) -> Generator[Package]:
    """Open the package in a file. Raises `Corrupt`, `Encrypted`, `FileTooLarge`."""
    with open_archive(path, limits=limits) as archive:
        yield Package(archive)


def is_on(element: Element | None) -> bool:
    """Return whether a switch such as `<w:b/>` is on. `w:val` may turn it off."""
    return element is not None and (attribute(element, "val") or "true") not in {"0", "false", "off", "none"}


def value_of(element: Element | None, *path: str) -> str | None:
    """Return the `val` of the element at a path, if any."""
    target = find(element, *path)
    return None if target is None else attribute(target, "val")
