"""The command line: `lectern COMMAND`. One file for each command or group of commands.

A command's file is imported when the command is called, so that `up` stays small and help stays fast.
"""

import difflib
import gc
import importlib
import os
import signal
import sys
from typing import Final, NoReturn

from lectern.cli.commands import COMMANDS, DESCRIPTION, LIKENESS, OTHER_NAMES, Command, show_information
from lectern.cli.output import flush_output, prepare_output
from lectern.errors import LecternError

HELP_NAMES: Final = ["-h", "--help"]


def run() -> None:
    """Run the program `lectern`."""
    if os.getpid() == 1:  # In a container. Linux ignores SIGTERM for process 1 until it is handled.
        signal.signal(signal.SIGTERM, lambda _, __: sys.exit(128 + signal.SIGTERM))
    try:
        _run()
    except KeyboardInterrupt:  # during the imports, which take longer than some commands
        sys.exit(128 + signal.SIGINT)


def _run() -> NoReturn:
    prepare_output()
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    command = next((known for known in COMMANDS if known.name == name), None)
    if command is None:
        _without_command(sys.argv[1:])
    from lectern.cli.edge import exit_code
    from lectern.embedded.permissions import restrict_new_files
    from lectern.settings.threads import limit_matrix_threads

    restrict_new_files()
    limit_matrix_threads()
    code = exit_code(lambda: _start(command))
    code = exit_code(flush_output) or code
    gc.freeze()  # the interpreter would look for garbage among all objects before it ends
    sys.exit(code)


def _without_command(arguments: list[str]) -> NoReturn:
    """Print help, the version, or an error that names the closest command."""
    from lectern.cli.installation import home

    try:
        is_information = show_information(arguments, is_clone=home() is not None)
        flush_output()
    except LecternError as error:
        sys.exit(f"lectern: {error.message} {error.hint}")
    if is_information:
        sys.exit(0)
    clone = home()
    if arguments[0] == "test" and clone is not None:
        print(f"lectern: only the launcher runs the tests. Type {clone / 'lectern'} test.", file=sys.stderr)
        sys.exit(2)
    names = [command.name for command in COMMANDS]
    meant = OTHER_NAMES.get(arguments[0])
    close = [meant] if meant else difflib.get_close_matches(arguments[0], names, n=1, cutoff=LIKENESS)
    hint = f"Did you mean `lectern {close[0]}`?" if close else "Run `lectern --help`."
    print(f"lectern: there is no command {arguments[0]}. {hint}", file=sys.stderr)
    sys.exit(2)


def _start(command: Command) -> None:
    from lectern.cli.garbage import loading

    with loading():
        import typer

        from lectern.cli.options import RootGroup, rename_types

        found = getattr(importlib.import_module(f"lectern.cli.{command.module}"), command.attribute)
    app = typer.Typer(
        name="lectern",
        cls=RootGroup,
        help=DESCRIPTION,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": HELP_NAMES},
    )
    app.callback()(_top)  # keeps the command's name in usage lines although there is one command only
    if isinstance(found, typer.Typer):
        app.add_typer(found, name=command.name)
    else:
        app.command(command.name)(found)
    tree = typer.main.get_command(app)
    rename_types(tree, help_options=HELP_NAMES)
    tree(prog_name="lectern")


def _top() -> None:
    """A self-hosted knowledge base that AI agents can trust."""
