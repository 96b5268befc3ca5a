"""A group of commands of which one runs by default."""

from typing import ClassVar

import typer
from typer.core import TyperGroup


class DefaultCommandGroup(TyperGroup):
    """Makes `lectern GROUP ARGUMENTS` an alias of `lectern GROUP DEFAULT ARGUMENTS`."""

    default: ClassVar[str]

    # pyright: ignore is for the context, of which typer has a public and a private class
    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # pyright: ignore[reportIncompatibleMethodOverride]
        if args and args[0] not in {*self.commands, "-h", "--help"}:
            args = [self.default, *args]
        return super().parse_args(ctx, args)
