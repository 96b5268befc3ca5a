"""The list of commands, and `lectern --help` and `--version` without loading or installing anything.

Standard library only: the launcher of a clone runs this file before the packages are installed.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True)
class Command:
    """A command or a group of commands: `attribute` of module `lectern.cli.MODULE`."""

    name: str
    module: str
    attribute: str
    summary: str


COMMANDS: Final = (
    Command("up", "services.up", "up", "Start Postgres, the API, a worker and the MCP service."),
    Command("ingest", "library.ingest", "ingest", "Add files and folders to the library."),
    Command("demo", "library.ingest", "demo", "Add the sample documents."),
    Command("collections", "library.collections", "app", "Create and list collections."),
    Command("folders", "library.folders", "app", "Watch folders for documents."),
    Command("search", "library.search", "search", "Search the library."),
    Command("ask", "library.ask", "ask", "Ask a question and get a cited answer."),
    Command("keys", "admin.keys", "app", "Create, list, rotate and revoke API keys."),
    Command("users", "admin.users", "app", "Manage user accounts."),
    Command("audit", "admin.audit", "app", "Export the audit log."),
    Command("embeddings", "library.embeddings", "app", "List embedding models and switch between them."),
    Command("models", "library.model_store", "app", "Add models that run on this machine."),
    Command("eval", "evaluation.search", "app", "Measure search and answers on your own questions."),
    Command("backup", "library.backup", "app", "Write everything to one file, and prune old backups."),
    Command("restore", "library.backup", "restore", "Restore a backup."),
    Command("export", "library.transfer", "export_", "Export a tag, a collection or a document to one file."),
    Command("import", "library.transfer", "import_", "Import an exported file."),
    Command("doctor", "admin.doctor", "doctor", "Check this installation and name what to repair."),
    Command("upgrade", "admin.upgrade", "upgrade", "Check what an upgrade changes, or update the database."),
    Command("serve", "services.serve", "serve", "Run the API only."),
    Command("worker", "services.worker", "worker", "Run a worker only."),
    Command("migrate", "services.migrate", "migrate", "Update the database schema."),
    Command("first-password", "admin.users", "first_password", "Show the first password once."),
    Command("env", "admin.environment_file", "environment_file", "Print a settings file with every variable."),
    Command("settings", "admin.reference", "settings", "Print the reference of all settings."),
    Command("openapi", "admin.reference", "openapi", "Print the OpenAPI description of the REST API."),
)
# Commands of other programs, by what they do.
OTHER_NAMES: Final = {
    "start": "up",
    "run": "up",
    "status": "doctor",
    "check": "doctor",
    "add": "ingest",
    "upload": "ingest",
    "find": "search",
    "query": "search",
    "config": "env",
    "version": "--version",
}
LIKENESS: Final = 0.7
HELP_OPTIONS: Final = ("-h", "--help", "help")
DESCRIPTION: Final = "A self-hosted knowledge base that AI agents can trust."


def help_text(*, is_clone: bool) -> str:
    """Return what `lectern --help` prints. A clone has one more command, `test`."""
    rows = [(command.name, command.summary) for command in COMMANDS]
    if is_clone:
        rows.append(("test", "Run the tests of this clone."))
    lines = [f"  {name:<16}{summary}" for name, summary in rows]
    usage = "Usage: lectern COMMAND [OPTIONS]\n       lectern COMMAND --help\n       lectern --version"
    return "\n".join([f"Lectern: {DESCRIPTION[0].lower()}{DESCRIPTION[1:]}", "", usage, "", "Commands:", *lines])


def version() -> str:
    """Return the version of the package that this file belongs to."""
    text = (Path(__file__).parents[1] / "__init__.py").read_text(encoding="utf-8")
    match = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    return match[1] if match else "unknown"


def show_information(arguments: list[str], *, is_clone: bool) -> bool:
    """Print help or the version if that is what the arguments ask for."""
    if not arguments or arguments[0] in HELP_OPTIONS:
        print(help_text(is_clone=is_clone))
    elif arguments[0] == "--version":
        print(f"lectern {version()}")
    else:
        return False
    return True


if __name__ == "__main__":
    show_information(sys.argv[1:], is_clone=True)
