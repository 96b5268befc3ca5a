"""Write the bill of materials of a release in CycloneDX: the packages that lock files pin, with their hashes."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from cyclonedx.model import HashAlgorithm, bom, component
from cyclonedx.model import HashType as _HashType
from cyclonedx.model.component import ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

# The decorators of these classes hide their types from type checkers.
Bom: Final[Any] = bom.Bom
Component: Final[Any] = component.Component
HashType: Final[Any] = _HashType
_PINNED: Final = re.compile(r"^([a-z0-9._-]+)==([^\s;]+)(?: ;[^\\\n]*)? \\\n((?: +--hash=sha256:.+\n?)+)", re.MULTILINE)
_HASH: Final = re.compile(r"sha256:([0-9a-f]{64})")
_VOLATILE: Final = ("serialNumber",)


def describe_locks(name: str, version: str, locks: Sequence[Path]) -> str:
    """Return the bill of the packages in lock files. Equal lock files give equal text."""
    bill = Bom()
    application = Component(
        name=name,
        version=version,
        type=ComponentType.APPLICATION,
        bom_ref=name,
        purl=PackageURL("pypi", name=name, version=version),
    )
    bill.metadata.component = application
    components = {part.bom_ref.value: part for lock in locks for part in _components(lock)}.values()
    bill.components.update(components)
    bill.register_dependency(application, components)
    text = make_outputter(bill, OutputFormat.JSON, SchemaVersion.V1_6).output_as_string()
    return stable(json.loads(text))


def stable(bill: dict[str, Any]) -> str:
    """Return a bill as JSON without its time of writing and random serial number."""
    fixed = {name: value for name, value in bill.items() if name not in _VOLATILE}
    fixed.get("metadata", {}).pop("timestamp", None)
    return json.dumps(fixed, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _components(lock: Path) -> Iterator[Any]:
    for name, version, hashes in _PINNED.findall(lock.read_text(encoding="utf-8")):
        purl = PackageURL("pypi", name=name, version=version)
        yield Component(
            name=name,
            version=version,
            type=ComponentType.LIBRARY,
            bom_ref=str(purl),
            purl=purl,
            # Each platform has a file of its own.
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest) for digest in _HASH.findall(hashes)],
        )
