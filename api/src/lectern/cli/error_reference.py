"""`python -m lectern.cli.error_reference`: the reference of every error code, in Markdown."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Final

import lectern
from lectern.errors import LecternError

INTRODUCTION: Final = """\
# Errors

Over REST an error is a problem (RFC 9457, `application/problem+json`): `code` is stable and meant for programs,
`detail` and `hint` are meant for people, `request_id` finds the log lines. Some codes add members, such as the names
that exist. On a document that failed, `error` has the same code, message and hint, and `details` has the numbers that
are named after the table below. The command line prints message and hint in one line.

This page is printed by `python -m lectern.cli.error_reference`; a test holds it against the code.

| Code | Status | Message | Hint |
|---|---|---|---|
"""


VALUES: Final = """
## Numbers of a failure

A document, a version or a job that failed says in `details` (a job: `error_details`) which limit was passed and by how
much. Each of them has some of these; what failed before they were kept has none.

| Failure | Names of its numbers |
|---|---|
"""


def reference() -> str:
    """The text of `docs/reference/errors.md`: one row for each code and message, by code; then the values by code."""
    load_all_rooms()
    errors = [error for error in _errors(LecternError) if error.__module__.startswith("lectern.")]
    named = {f"| {error.code} | {_names(error)} |\n" for error in errors if error.value_names}
    return INTRODUCTION + "".join(sorted({_row(error) for error in errors})) + VALUES + "".join(sorted(named))


def _names(error: type[LecternError]) -> str:
    return ", ".join(f"`{name}`" for name in error.value_names)


def load_all_rooms() -> None:
    """Import every module, so that every error class is known."""
    for module in pkgutil.walk_packages(lectern.__path__, "lectern."):
        if not module.name.endswith(("__main__", ".env")) and ".versions." not in module.name:
            importlib.import_module(module.name)


def _errors(root: type[LecternError]) -> Iterator[type[LecternError]]:
    yield root
    for child in root.__subclasses__():
        yield from _errors(child)


def _row(error: type[LecternError]) -> str:
    message = (error.__doc__ or "").strip().split("\n", maxsplit=1)[0]
    cells = (f"`{error.code}`", str(error.status), message, error.default_hint or "")
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


if __name__ == "__main__":
    print(reference(), end="")
