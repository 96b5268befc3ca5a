"""The list of sample documents: where they lie, and what collection and tags each goes in with."""

from pathlib import Path
from typing import Final

from pydantic import BaseModel, ValidationError

from lectern.errors import Misconfigured

_MANIFEST: Final = "manifest.json"
_CARRIED: Final = Path(__file__).resolve().parents[2] / "carried" / "samples"
_CLONE: Final = Path(__file__).resolve().parents[5] / "test-docs"


class Sample(BaseModel):
    """One sample document; `file` is relative to the folder of the manifest."""

    file: str
    sha256: str = ""
    collection: str
    tags: list[str]
    has_text: bool = True

    @property
    def name(self) -> str:
        """Its filename."""
        return Path(self.file).name


class _Manifest(BaseModel):
    documents: list[Sample]


def find_samples(configured: Path | None) -> Path | None:
    """The folder of the sample documents: as set, else carried by the installed package, else of a clone."""
    wanted = (configured,) if configured else (_CARRIED, _CLONE)
    return next((folder for folder in wanted if (folder / _MANIFEST).is_file()), None)


def read_manifest(folder: Path) -> list[Sample]:
    """The sample documents of a folder.

    Raises:
        Misconfigured: There is no manifest, or it cannot be read.
    """
    try:
        return _Manifest.model_validate_json((folder / _MANIFEST).read_bytes()).documents
    except FileNotFoundError as error:
        raise Misconfigured(f"There are no sample documents in {folder}.", hint="They come with a clone.") from error
    except ValidationError as error:
        raise Misconfigured(f"{folder / _MANIFEST} cannot be read.") from error
