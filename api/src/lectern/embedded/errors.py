"""Errors that stop an installation from starting."""

from lectern.errors import Conflict, Misconfigured, Unavailable


class PostgresMissing(Misconfigured):
    """No usable Postgres was found on this machine."""

    default_hint = "Run `lectern up`, which installs one, or set LECTERN_POSTGRES_BIN_DIR to a folder with `postgres`."


class VectorMissing(Misconfigured):
    """This Postgres lacks the pgvector extension."""

    code = "pgvector_missing"
    default_hint = "Install pgvector for it, or leave LECTERN_POSTGRES_BIN_DIR empty to use the packaged Postgres."


class DataFolderInUse(Conflict):
    """The data folder is in use by another Lectern."""

    default_hint = "Stop the other one, or choose another folder with --data-dir."


class DataFolderUnusable(Misconfigured):
    """The data folder cannot be used by the account that runs Postgres."""

    default_hint = "Choose another folder with --data-dir, for example /var/lib/lectern."


class DataFolderVersionMismatch(Misconfigured):
    """The data folder was made by another major version of Postgres."""

    code = "data_folder_version"


class DiskFull(Unavailable):
    """The disk of the data folder is full."""

    default_hint = "Free some space there, or choose a folder on another disk with --data-dir."


class PostgresFailed(Unavailable):
    """The embedded Postgres did not start."""


class PortInUse(Conflict):
    """A port that Lectern needs is in use."""


class ServiceFailed(Unavailable):
    """A service of Lectern keeps ending right after its start."""


class MigrationFailed(Unavailable):
    """The database could not be brought to the version of the code."""
