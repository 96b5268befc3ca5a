"""Find the sample documents and read their manifest. Loads no database library, for `lectern up`."""

from pathlib import Path
from typing import Final

from pydantic import BaseModel, ValidationError

from lectern.errors import Misconfigured

_MANIFEST: Final = "manifest.json"
_CARRIED: Final = Path(__file__).resolve().parents[2] / "carried" / "samples"
_CLONE: Final = Path(__file__).resolve().parents[5] / "test-docs"


class Sample(BaseModel):
    """A sample document. `file` is relative to the folder of the manifest."""

    file: str
    sha256: str = ""
    collection: str
    tags: list[str]
    has_text: bool = True

    @property
    def name(self) -> str:
        """The filename without folders."""
        return Path(self.file).name


class _Manifest(BaseModel):
    documents: list[Sample]


def find_samples(configured: Path | None) -> Path | None:
    """Return the folder of the samples: as set, in the installed package, or in the clone. None if there is none."""
    wanted = (configured,) if configured else (_CARRIED, _CLONE)
    return next((folder for folder in wanted if (folder / _MANIFEST).is_file()), None)


def read_manifest(folder: Path) -> list[Sample]:
    """Read the manifest of a folder.

    Raises:
        Misconfigured: There is no manifest, or it is invalid.
    """
    try:
        return _Manifest.model_validate_json((folder / _MANIFEST).read_bytes()).documents
    except FileNotFoundError as error:
        hint = f"Name a folder with a {_MANIFEST}."
        raise Misconfigured(f"There are no sample documents in {folder}.", hint=hint) from error
    except ValidationError as error:
        raise Misconfigured(f"{folder / _MANIFEST} is not a valid manifest.") from error
