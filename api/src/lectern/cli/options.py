"""Options that several commands share, and groups of commands."""

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

import typer
from pydantic import ValidationError
from typer.core import TyperGroup

from lectern.cli.commands import LIKENESS
from lectern.errors import InvalidRequest, describe_invalid


def parse_path(text: str) -> Path:
    """Return the path. Raises InvalidRequest if it is empty, which would be the current folder."""
    if not text:
        raise InvalidRequest("The path is empty.", hint="Name a file or folder. `.` is the current folder.")
    return Path(text)


DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        help="Folder of database, files, models and secrets. Default: LECTERN_DATA_DIR, then .lectern/data.",
        parser=parse_path,
        metavar="<path>",
    ),
]
Backups = Annotated[
    Path | None,
    typer.Option(
        help="Folder of `lectern backup FOLDER`. Fails if the newest is older than a day.",
        parser=parse_path,
        metavar="<path>",
    ),
]
Documents = Annotated[
    list[str] | None, typer.Option("--document", help="Search only these documents: ids or filenames. Repeatable.")
]
Tags = Annotated[
    list[str] | None, typer.Option("--tag", help="Search only documents with any of these tags. Repeatable.")
]
Collections = Annotated[
    list[str] | None, typer.Option("--collection", help="Search only these collections. Repeatable.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Baseline = Annotated[Path | None, typer.Option(help="Exit with code 1 if a measure falls below this baseline file.")]
SaveBaseline = Annotated[Path | None, typer.Option(help="Write the measures to a baseline file.")]
Tolerance = Annotated[float, typer.Option(min=0, max=1, help="Tolerated difference to the baseline.")]
DEFAULT_TOLERANCE: Final = 0.02


_TYPE_NAMES: Final = {
    "<bool>": "",
    "<str>": "<text>",
    "<list[str]>": "<text>",
    "<list[Path]>": "<path>",
    "<int range>": "<number>",
    "<float range>": "<number>",
}


def rename_types(command: Any, *, help_options: list[str]) -> None:  # noqa: ANN401 - Typer's classes are private
    """Name the types of values in help as people do. Options without a value have none."""
    context = typer.Context(command, help_option_names=help_options)
    for parameter in command.get_params(context):
        shown: str = parameter.display_type(context)
        parameter.display_type = _always(_TYPE_NAMES.get(shown, shown))
    for one in getattr(command, "commands", {}).values():
        rename_types(one, help_options=help_options)


def _always(name: str) -> Callable[[object], str]:
    return lambda _: name


class RootGroup(TyperGroup):
    """Says in Lectern's words why a value is invalid, and which options and commands there are."""

    def invoke(self, ctx: typer.Context) -> object:  # pyright: ignore[reportIncompatibleMethodOverride]
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            if isinstance(error.__cause__, ValidationError):
                error.message = describe_invalid(error.__cause__.errors()[0])[1]
            raise
        except typer.TyperException as error:
            _name_alternatives(error)
            raise


def _name_alternatives(error: Any) -> None:  # noqa: ANN401 - Typer's classes are private
    """Name the options of the command that has no such option, or the commands of the group."""
    context = getattr(error, "ctx", None)
    if context is None:
        return
    if hasattr(error, "option_name"):
        names = [name for parameter in context.command.get_params(context) for name in parameter.opts]
        options = [name[2:] for name in names if name.startswith("--")]
        close = difflib.get_close_matches(error.option_name.lstrip("-"), options, cutoff=LIKENESS)
        error.possibilities = [f"--{name}" for name in close or options]
    elif error.message.startswith("No such command") and "Did you mean" not in error.message:
        error.message += f" Commands: {', '.join(context.command.commands)}."


class DefaultCommandGroup(TyperGroup):
    """Makes `lectern GROUP ARGUMENTS` an alias of `lectern GROUP DEFAULT ARGUMENTS`."""

    default: ClassVar[str]

    # pyright: ignore is for the context, of which typer has a public and a private class
    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # pyright: ignore[reportIncompatibleMethodOverride]
        if args and args[0] not in {*self.commands, "-h", "--help"}:
            args = [self.default, *args]
        return super().parse_args(ctx, args)
