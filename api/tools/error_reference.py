"""Print `docs/reference/errors.md`: every error code in Markdown."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Final

import lectern
from lectern.errors import LecternError

INTRODUCTION: Final = """\
# Errors

The REST API returns errors as problem details (RFC 9457, `application/problem+json`).
`code` is stable, for programs. `detail` and `hint` are for people. `request_id` finds the log lines.
Some codes add members, such as the names that exist.
A failed document has the same code, message and hint in `error`, and numbers in `details` (see the end of this page).
The command line prints message and hint in one line.

`python api/tools/error_reference.py` prints this page, and a test compares the two.

| Code | Status | Message | Hint |
|---|---|---|---|
"""


VALUES: Final = """
## Numbers of a failure

A failed document, version or job names in `details` (a job: `error_details`) the limit and the actual value.
Each failure has some of these numbers.

| Failure | Names of its numbers |
|---|---|
"""


def reference() -> str:
    """Return the text of `docs/reference/errors.md`: one row for each code and message, then the numbers by code."""
    load_all_modules()
    errors = [error for error in _errors(LecternError) if is_public(error)]
    named = {f"| {error.code} | {_names(error)} |\n" for error in errors if error.value_names}
    return INTRODUCTION + "".join(sorted({_row(error) for error in errors})) + VALUES + "".join(sorted(named))


def is_public(error: type[LecternError]) -> bool:
    """Return true if clients meet the class: it is Lectern's, and no private variant of another."""
    return error.__module__.startswith("lectern.") and not error.__name__.startswith("_")


def _names(error: type[LecternError]) -> str:
    return ", ".join(f"`{name}`" for name in error.value_names)


def load_all_modules() -> None:
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
