"""The added models: one folder each in the model folder of an installation."""

import errno
import fcntl
import os
import re
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lectern.embedded.errors import DiskFull
from lectern.errors import Misconfigured
from lectern.operations.model_store.adding import AddRequest, copy_model
from lectern.operations.model_store.errors import (
    ModelExists,
    ModelFileChanged,
    ModelFileMissing,
    ModelInUse,
    ModelNotFound,
    ModelSourceUnknown,
)
from lectern.operations.model_store.record import RECORD_FILE, ModelRecord, read_record
from lectern.operations.model_store.sources import hash_file
from lectern.settings import Settings

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class ModelStore:
    """The models below a folder."""

    folder: Path

    def path(self, name: str) -> Path:
        """Return the folder of a model.

        Raises:
            ModelNotFound: The name cannot be one.
        """
        if not _NAME.fullmatch(name):
            raise ModelNotFound(f"{name!r} is no name of a model.")
        return self.folder / name

    def list_records(self) -> list[ModelRecord]:
        """Return the records of the added models by name."""
        names = [path.parent.name for path in sorted(self.folder.glob(f"*/{RECORD_FILE}"))]
        return [read_record(self.folder / name) for name in names if _NAME.fullmatch(name)]

    def add(self, request: AddRequest, report: Callable[[str], None]) -> ModelRecord:
        """Copy a model, check it, run it once, and move it into place. A failure leaves nothing behind.

        Raises:
            LecternError: See `errors.py`.
        """
        if not _NAME.fullmatch(request.name):
            raise ModelSourceUnknown(
                f"{request.name!r} is no name for a model.", hint="Use letters, digits, dots and hyphens in `--name`."
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._staging(request.name) as staging:
                if self.path(request.name).exists():
                    raise ModelExists(f"{self.path(request.name)} exists.")
                record = copy_model(request, staging, report)
                (staging / RECORD_FILE).write_text(record.model_dump_json(indent=2), encoding="utf-8")
                staging.rename(self.path(request.name))
        except OSError as error:
            raise _unwritable(self.folder, error) from error
        return record

    def verify(self, name: str) -> ModelRecord:
        """Compare every file of a model with its record.

        Raises:
            ModelNotFound: There is no such model.
            ModelFileMissing: A file is missing.
            ModelFileChanged: A file differs.
        """
        folder = self.path(name)
        record = read_record(folder)
        for file, expected in record.files.items():
            if not (folder / file).is_file():
                raise ModelFileMissing(f"{file} of {name} is missing.", hint=ModelFileChanged.default_hint)
            if hash_file(folder / file) != expected:
                raise ModelFileChanged(f"{file} of {name} differs from its recorded SHA-256.")
        return record

    def remove(self, name: str, settings: Settings) -> None:
        """Delete a model that no setting names.

        Raises:
            ModelNotFound: There is no such model.
            ModelInUse: A setting names it.
        """
        folder = self.path(name)
        if not (folder / RECORD_FILE).is_file():
            raise ModelNotFound(f"No added model has the name {name}.")
        if folder.resolve() in {path.resolve() for path in _configured_folders(settings)}:
            raise ModelInUse(f"A setting names {name}.")
        with self._staging(name) as staging:
            staging.rmdir()
            folder.rename(staging)

    @contextmanager
    def _staging(self, name: str) -> Generator[Path]:
        """Lock an empty folder, and delete it at the end. The next process deletes what a killed one left."""
        staging = self.folder / f".{name}.partial"
        staging.mkdir(exist_ok=True)
        descriptor = os.open(staging, os.O_RDONLY)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ModelExists(f"Another process is adding or removing {name}.", hint="Wait for it.") from None
            for path in staging.iterdir():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            try:
                yield staging
            finally:
                shutil.rmtree(staging, ignore_errors=True)
        finally:
            os.close(descriptor)


def _unwritable(folder: Path, error: OSError) -> DiskFull | Misconfigured:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return DiskFull(
            f"The disk of {folder} is too full for this model.",
            hint="Nothing was added. Free some space, or make this folder a link to a larger disk.",
        )
    return Misconfigured(
        f"{folder} cannot be written: {error.strerror}.", hint="Nothing was added. Correct its permissions."
    )


def _configured_folders(settings: Settings) -> Iterator[Path]:
    embeddings = settings.embeddings
    for value in (embeddings.provider, embeddings.next_provider, settings.reranking.provider):
        kind, _, folder = value.strip().partition(":")
        if kind == "onnx" and folder:
            yield Path(folder)
