"""The command line: `lectern COMMAND`. One file for each command or group of commands.

A command's file is imported when the command is called: `up` lives long and must stay small, and a command line that
loads the whole of Lectern to print its help is slow.
"""

import importlib
import sys
from typing import Final

import typer

from lectern.cli.edge import exit_code

# name, file in this folder, what it is in that file (a command, or the `app` of a group)
COMMANDS: Final = (
    ("up", "up", "up"),
    ("serve", "serve", "serve"),
    ("worker", "worker", "worker"),
    ("migrate", "migrate", "migrate"),
    ("ingest", "ingest", "ingest"),
    ("demo", "demo", "demo"),
    ("folders", "folders", "app"),
    ("search", "search", "search"),
    ("ask", "ask", "ask"),
    ("eval", "evaluation", "app"),
    ("embeddings", "embeddings", "app"),
    ("keys", "keys", "app"),
    ("users", "users", "app"),
    ("backup", "backup", "backup"),
    ("restore", "backup", "restore"),
    ("export", "transfer", "export_"),
    ("import", "transfer", "import_"),
    ("doctor", "doctor", "doctor"),
    ("openapi", "openapi", "openapi"),
    ("settings", "reference", "settings"),
    ("test", "selftest", "run_tests"),
)


def build(names: list[str]) -> typer.Typer:
    """The command line with the commands that are among `names`; with all of them when none is."""
    app = typer.Typer(
        name="lectern",
        help="A knowledge base that AI agents can trust.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_top)
    for name, file, attribute in [row for row in COMMANDS if row[0] in names] or COMMANDS:
        found = getattr(importlib.import_module(f"lectern.cli.{file}"), attribute)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name)
        else:
            app.command(name)(found)
    return app


def _top() -> None:
    """A knowledge base that AI agents can trust."""  # a callback keeps the command's name even when there is one only


def run() -> None:
    """The entry point of the program `lectern`."""
    sys.exit(exit_code(_start))


def _start() -> None:
    build(sys.argv[1:2])()
