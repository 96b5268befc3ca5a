"""The installation that a command works on: data folder, secrets and database."""

from collections.abc import Generator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lectern.embedded import cluster
from lectern.embedded.binaries import find_binaries
from lectern.embedded.children import Watchdog
from lectern.embedded.data_folder import DataFolder, default_data_folder
from lectern.embedded.permissions import write_private
from lectern.embedded.postgres import EmbeddedPostgres, local_url
from lectern.embedded.secrets import InstallationSecrets, load_or_create
from lectern.embedded.tuning import BRIEF, tuned_settings
from lectern.errors import Misconfigured
from lectern.settings import Settings
from lectern.settings.secret_files import generated_file

MISSING_HINT: Final = "Name its folder with --data-dir. `lectern up` creates one."
REPOSITORY: Final = Path(__file__).resolve().parents[4]


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """The data folder and secrets of an installation, and the addresses of its database."""

    folder: DataFolder
    secrets: InstallationSecrets
    owner_url: str
    service_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedInstallation(Installation):
    """An installation that this process has locked and started. `postgres` is None if DATABASE_URL is set."""

    postgres: EmbeddedPostgres | None
    watchdog: Watchdog


def home() -> Path | None:
    """Return the folder of the launcher in a clone, or None in an installed package."""
    return REPOSITORY if (REPOSITORY / "lectern").is_file() else None


def data_folder(settings: Settings, override: Path | None = None) -> DataFolder:
    """Return the data folder from the command line, the settings or the default, in this order."""
    return DataFolder(override or settings.embedded.data_dir or default_data_folder(home()))


def first_password_file(folder: DataFolder) -> Path:
    """Return the file with the first administrator's password, which may be missing or empty."""
    return generated_file("ADMIN_PASSWORD") or folder.first_password


def forget_first_password(folder: DataFolder) -> None:
    """Delete the first administrator's password from its file."""
    if generated := generated_file("ADMIN_PASSWORD"):
        write_private(generated, "")  # a missing file would be generated again
    else:
        folder.first_password.unlink(missing_ok=True)


@contextmanager
def started(settings: Settings, folder: DataFolder, *, is_brief: bool = False) -> Generator[StartedInstallation]:
    """Lock the folder and start its database, unless DATABASE_URL names one. It is not migrated yet.

    With `is_brief` the database starts quickly, but stores less in its own memory.

    Raises:
        LecternError: See `embedded/errors.py`.
    """
    with folder, closing(Watchdog()) as watchdog, ExitStack() as stack:
        secrets, _ = load_or_create(folder.secrets)
        postgres = None
        if settings.database.url is not None:
            owner_url, service_url = _external_urls(settings)
        else:
            postgres = EmbeddedPostgres(
                folder,
                binaries=find_binaries(settings.embedded.postgres_bin_dir),
                password=secrets.superuser_password,
                watchdog=watchdog,
                settings={**tuned_settings(), **BRIEF} if is_brief else tuned_settings(),
            )
            stack.callback(postgres.stop)  # also of a start that Ctrl-C interrupts
            postgres.start()
            owner_url, service_url = _prepare_database(postgres, secrets)
        yield StartedInstallation(
            folder=folder,
            secrets=secrets,
            owner_url=owner_url,
            service_url=service_url,
            postgres=postgres,
            watchdog=watchdog,
        )


def is_there(settings: Settings, override: Path | None = None) -> bool:
    """Return True if there is a database."""
    return settings.database.url is not None or (data_folder(settings, override).database / "PG_VERSION").is_file()


@contextmanager
def connected(settings: Settings, override: Path | None = None, *, may_create: bool = False) -> Generator[Installation]:
    """Connect to a running installation, or start its database for the duration of a command.

    It may not be migrated yet.

    Raises:
        Misconfigured: Nothing is there, and the command may not create it. The folder may be misspelt.
    """
    folder = data_folder(settings, override)
    if not may_create and not is_there(settings, override):
        raise Misconfigured(f"There is no installation in {folder.path}.", hint=MISSING_HINT)
    if settings.database.url is not None:
        owner_url, service_url = _external_urls(settings)
        yield Installation(folder=folder, secrets=InstallationSecrets(), owner_url=owner_url, service_url=service_url)
        return
    running = running_installation(folder) if folder.is_in_use() else None
    if running is not None:
        yield running
        return
    with started(settings, folder, is_brief=True) as installation:
        yield installation


def running_installation(folder: DataFolder) -> Installation | None:
    """Return the installation that another process runs in this folder, or None if its database does not answer."""
    port = cluster.port_of_running(folder.database)
    if port is None or not folder.secrets.exists():
        return None
    secrets, _ = load_or_create(folder.secrets)
    return Installation(
        folder=folder,
        secrets=secrets,
        owner_url=local_url(port, database=cluster.DATABASE, user=cluster.OWNER, password=secrets.owner_password),
        service_url=local_url(port, database=cluster.DATABASE, user=cluster.SERVICE, password=secrets.service_password),
    )


def _external_urls(settings: Settings) -> tuple[str, str]:
    """Return the addresses of an external Postgres for the schema's owner and for the services."""
    service, owner = settings.database.url, settings.database.owner_url or settings.database.url
    return owner.get_secret_value() if owner else "", service.get_secret_value() if service else ""


def _prepare_database(postgres: EmbeddedPostgres, secrets: InstallationSecrets) -> tuple[str, str]:
    """Create the database and its roles. Return the addresses for the schema's owner and for the services."""
    cluster.create_database(postgres.url(database="postgres"))
    cluster.bootstrap(
        postgres.url(database=cluster.DATABASE),
        owner_password=secrets.owner_password,
        service_password=secrets.service_password,
    )
    return (
        postgres.url(database=cluster.DATABASE, user=cluster.OWNER, password=secrets.owner_password),
        postgres.url(database=cluster.DATABASE, user=cluster.SERVICE, password=secrets.service_password),
    )
