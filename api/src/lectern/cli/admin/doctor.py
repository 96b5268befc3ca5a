"""`lectern doctor`: check this machine, this installation and its library."""

import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import psycopg
import typer
from rich.text import Text

from lectern.cli.console import results, show
from lectern.cli.edge import OWNER_HINT, explain
from lectern.cli.installation import data_folder, is_there, running_installation
from lectern.cli.options import Backups, DataDir, Json
from lectern.cli.services.environment import Ports, require_free_port
from lectern.embedded.binaries import find_binaries
from lectern.embedded.cluster import read_revision
from lectern.embedded.data_folder import MIN_FREE_BYTES, DataFolder, account_for
from lectern.embedded.permissions import find_exposed, protect
from lectern.errors import LecternError
from lectern.settings import Settings, load_settings

if TYPE_CHECKING:
    from lectern.operations.integrity.defects import Defect
    from lectern.operations.system.schemas import RankerState

OLDEST_PYTHON, NEWEST_PYTHON = (3, 11), (3, 13)
OLDEST_POSTGRES = 160_000
MAX_NAMED_KEYS = 10
MAX_BACKUP_AGE = timedelta(days=1)


Verdict = Literal["good", "warning", "bad"]
Result = tuple[Verdict, str]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check. A `warning` does not keep Lectern from starting. `defect` is one of the library."""

    subject: str
    verdict: Verdict
    detail: str
    defect: "Defect | None" = None


def doctor(
    is_fixing: Annotated[bool, typer.Option("--fix", help="Repair the library and file permissions.")] = False,
    backups: Backups = None,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Check this machine, this installation and its library. Exit code 1 if something is broken."""
    settings = load_settings()
    if is_fixing:
        protect(data_folder(settings, data_dir).path)
    findings = list(examine(settings, data_dir))
    if backups is not None:
        findings.append(examine_backups(backups))
    if not any(finding.subject == "database" and finding.verdict != "good" for finding in findings):
        findings += _library(settings, data_dir, is_repairing=is_fixing)
    show(findings, lambda: show_findings(findings), is_json=is_json)
    if any(finding.verdict == "bad" for finding in findings):
        raise typer.Exit(1)


def examine(
    settings: Settings, data_dir: Path | None = None, *, subjects: frozenset[str] = frozenset()
) -> Iterator[Finding]:
    """Yield the finding of every check, or of those with these subjects. One that fails does not end the others."""
    folder = data_folder(settings, data_dir)
    for subject, check in _CHECKS.items():
        if subjects and subject not in subjects:
            continue
        try:
            verdict, detail = check(settings, folder)
        except LecternError as error:
            verdict, detail = _failure(error)
        yield Finding(subject, verdict, detail)


def _failure(error: LecternError) -> Result:
    return "bad", f"{error.log_message} {error.hint}" if error.hint else error.log_message


def examine_backups(folder: Path) -> Finding:
    """Check the age of the newest backup, and the room for another one."""
    from lectern.library.backup.retention import list_backups

    try:
        backups = list_backups(folder).backups
    except LecternError as error:
        return Finding("backups", *_failure(error))
    if not backups:
        return Finding("backups", "bad", f"none in {folder}; `lectern backup {folder}` makes one")
    age, free = datetime.now(UTC) - backups[0].created_at, shutil.disk_usage(folder).free
    detail = f"{backups[0].path.name} is {age / timedelta(hours=1):.1f} hours old"
    if age > MAX_BACKUP_AGE:
        return Finding("backups", "bad", f"{detail}; `lectern backup {folder}` makes a new one")
    if free < backups[0].size_bytes:
        return Finding("backups", "warning", f"{detail}; the disk has no room for another one")
    return Finding("backups", "good", detail)


def _library(settings: Settings, data_dir: Path | None, *, is_repairing: bool) -> Iterator[Finding]:
    from lectern.cli.admin.library_check import examine_library

    if not is_there(settings, data_dir):
        return
    try:
        examined = examine_library(settings, data_dir, is_repairing=is_repairing)
    except LecternError as error:
        yield Finding("library", *_failure(error))
        return
    if examined is None:
        yield Finding("library", "warning", "not checked: run `lectern migrate` first")
        return
    if not examined.defects:
        yield Finding("library", "good", "no defects")
    for defect in examined.defects:
        yield _finding(defect)
    if examined.ranker != "shipped":
        yield _ranker(examined.ranker)
    if examined.keys:
        rest = "" if len(examined.keys) <= MAX_NAMED_KEYS else f" and {len(examined.keys) - MAX_NAMED_KEYS} more"
        detail = (
            f"outlive LECTERN_KEY_MAX_DAYS, rotate or revoke them: {', '.join(examined.keys[:MAX_NAMED_KEYS])}{rest}"
        )
        yield Finding("keys", "warning", detail)


def _ranker(state: "RankerState") -> Finding:
    if state == "fitted":
        detail = "fitted to this library; `lectern eval fit --remove` goes back to the shipped one"
        return Finding("ranker", "good", detail)
    detail = "the fitted one is for another version and is not used: run `lectern eval fit` again, or with --remove"
    return Finding("ranker", "warning", detail)


def _finding(defect: "Defect") -> Finding:
    verdicts: dict[str, Verdict] = {"repaired": "good", "queued": "warning", "found": "bad"}
    done = {
        "repaired": f"Repaired: {defect.remedy}",
        "queued": f"Queued for the worker: {defect.remedy}",
        "found": f"With --fix: {defect.remedy}",
    }
    places = f"{defect.check} ({defect.count}, for example {', '.join(defect.examples)})"
    return Finding("library", verdicts[defect.state], f"{places}: {defect.why} {done[defect.state]}", defect=defect)


def show_findings(findings: list[Finding]) -> None:
    styles = {"good": "green", "warning": "yellow", "bad": "bold red"}
    width = max(len(finding.subject) for finding in findings) + 2
    for finding in findings:
        verdict = (f"{finding.verdict:<8}", styles[finding.verdict])
        results.print(Text.assemble(verdict, finding.subject.ljust(width), finding.detail))


def _python(_: Settings, __: DataFolder) -> Result:
    is_supported = OLDEST_PYTHON <= sys.version_info[:2] <= NEWEST_PYTHON
    version = ".".join(map(str, sys.version_info[:3]))
    detail = version if is_supported else f"{version}; Lectern runs on Python 3.11, 3.12 and 3.13"
    return "good" if is_supported else "bad", detail


def _settings(_: Settings, __: DataFolder) -> Result:
    from lectern.cli.admin.environment_file import find_misspelt_variables

    misspelt = find_misspelt_variables()
    if not misspelt:
        return "good", "no variable is misspelt"
    return "warning", "; ".join(f"{name} is ignored, did you mean {meant}?" for name, meant in misspelt.items())


def _postgres(settings: Settings, _: DataFolder) -> Result:
    if settings.database.url is not None:
        return "good", "set by DATABASE_URL"
    binaries = find_binaries(settings.embedded.postgres_bin_dir)
    return "good", f"{binaries.version} with pgvector in {binaries.folder}"


def _data_folder(settings: Settings, folder: DataFolder) -> Result:
    account = account_for(folder.database)
    nearest = next(path for path in (folder.path, *folder.path.parents) if path.exists())
    is_embedded = settings.database.url is None
    if is_embedded and not account.can_reach(nearest):
        return (
            "bad",
            f"{folder.path} is not accessible to the account that runs Postgres; choose another with --data-dir",
        )
    state = "in use by a running Lectern" if folder.is_in_use() else "free"
    return "good", f"{folder.path} ({state})"


def _permissions(_: Settings, folder: DataFolder) -> Result:
    exposed = find_exposed(folder.path)
    if not exposed:
        return "good", "files are for their owner only"
    count = f"{len(exposed):,} files and folders are open to other accounts, for example {exposed[0]}"
    hint = "`lectern doctor --fix` closes them; run it as their owner"
    return "bad", f"{count}. {hint}"


def _disk(_: Settings, folder: DataFolder) -> Result:
    nearest = next(path for path in (folder.path, *folder.path.parents) if path.exists())
    free = shutil.disk_usage(nearest).free
    detail = f"{free // 1_048_576:,} MB free"
    if free >= MIN_FREE_BYTES:
        return "good", detail
    needed = f"Lectern needs {MIN_FREE_BYTES // 1_048_576} MB: free some space on the disk of {nearest}"
    return "bad", f"{detail}. {needed}"


def _confinement(_: Settings, __: DataFolder) -> Result:
    from lectern.extraction.sandbox.self_check import MEANINGS, find_confinement

    found = find_confinement()
    if found is None:
        return "warning", "unknown: is there a temporary folder?"
    missing = found.missing
    if not missing:
        return "good", f"untrusted files are parsed with {', '.join(MEANINGS.values())}"
    layers = f"Landlock is {found.landlock}, seccomp is {found.seccomp}"
    detail = f"missing: {'; '.join(missing)}. {layers}. Linux 5.13 or newer on x86-64 or ARM64 has the full sandbox"
    return "warning", detail


def _office_pages(_: Settings, __: DataFolder) -> Result:
    from lectern.extraction.sandbox.conversion import ConverterStatus, find_converter

    detail = {
        ConverterStatus.AVAILABLE: "LibreOffice prints Office files for page images",
        ConverterStatus.NOT_INSTALLED: "no page images of Office files, only text: LibreOffice is not installed",
        ConverterStatus.NOT_CONFINED: "no page images of Office files, only text: no sandbox for LibreOffice here",
    }
    return "good", detail[find_converter()]


def _text_recognition(settings: Settings, _: DataFolder) -> Result:
    from lectern.extraction.programs import describe_missing_engine
    from lectern.extraction.types import OcrEngine

    ocr = settings.ocr
    missing = describe_missing_engine(
        OcrEngine(ocr.engine), languages=settings.chunking.languages, tessdata=ocr.tessdata_dir
    )
    return ("bad", missing) if missing else ("good", f"LECTERN_OCR_ENGINE is {ocr.engine}")


def _models(_: Settings, folder: DataFolder) -> Result:
    from lectern.operations.model_store.store import ModelStore

    store = ModelStore(folder.models)
    records = store.list_records()
    for record in records:
        store.verify(record.name)
    detail = f"the files of {', '.join(record.name for record in records)} are unchanged" if records else "none added"
    return "good", detail


def _database(settings: Settings, folder: DataFolder) -> Result:
    given = settings.database.owner_url or settings.database.url  # the services may not read the revision
    url = given.get_secret_value() if given else None
    if url is None:
        running = running_installation(folder)
        if running is None:
            state, does = ("not running", "starts") if is_there(settings, folder.path) else ("none yet", "creates")
            return "good", f"{state}; `lectern up` {does} it"
        url = running.owner_url
    from lectern.db.engine import libpq_url

    try:
        with psycopg.connect(libpq_url(url), connect_timeout=5) as connection:
            return _schema(connection)
    except psycopg.errors.InsufficientPrivilege:
        return "warning", f"answers, but neither its revision nor the library is checked. {OWNER_HINT}"
    except psycopg.OperationalError as error:
        return _failure(explain(error) or LecternError(str(error)))


def _schema(connection: psycopg.Connection) -> Result:
    version = connection.info.server_version
    if version < OLDEST_POSTGRES:
        return "bad", f"Postgres {version // 10_000}; 16 or newer is needed"
    from lectern.db.migrations.runner import head_revision, require_known

    revision = read_revision(connection)
    if revision is None:
        return "warning", "empty; `lectern migrate` creates its tables"
    if revision == head_revision():
        return "good", f"at revision {revision}"
    require_known(revision)
    return "warning", f"at revision {revision}, the code at {head_revision()}; run `lectern migrate`"


def _api_port(settings: Settings, folder: DataFolder) -> Result:
    running = _ports_of_running(folder)
    return _port(settings, settings.http.port, own_port=running.api if running else None)


def _mcp_port(settings: Settings, folder: DataFolder) -> Result:
    running = _ports_of_running(folder)
    return _port(settings, settings.embedded.mcp_port, own_port=running.mcp if running else None)


def _ports_of_running(folder: DataFolder) -> Ports | None:
    return Ports.load(folder.path) if folder.is_in_use() else None


def _port(settings: Settings, port: int, *, own_port: int | None) -> Result:
    if own_port is not None:
        return "good", f"{own_port}, used by this installation"
    if settings.database.url is not None:  # services without `lectern up`, such as in other containers
        return "good", f"{port}, not checked: with DATABASE_URL, its service may run elsewhere"
    try:
        require_free_port(settings.http.host, port, hint="Stop it, or choose another port.")
    except LecternError as error:
        return "warning", f"{error.message} {error.hint}"
    return "good", f"{port} is free"


_CHECKS: Final[dict[str, Callable[[Settings, DataFolder], Result]]] = {
    "python": _python,
    "settings": _settings,
    "postgres": _postgres,
    "data folder": _data_folder,
    "permissions": _permissions,
    "disk": _disk,
    "confinement": _confinement,
    "ocr": _text_recognition,
    "office pages": _office_pages,
    "models": _models,
    "database": _database,
    "api port": _api_port,
    "mcp port": _mcp_port,
}
