"""Read passphrases of encrypted files, never from the command line itself."""

import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import typer

from lectern.cli.console import show_error
from lectern.errors import InvalidRequest
from lectern.library.archive import PassphraseRequired

Encrypt = Annotated[bool, typer.Option("--encrypt", help="Encrypt the file with a passphrase, in the age format.")]
PassphraseFile = Annotated[
    Path | None,
    typer.Option("--passphrase-file", help="File whose first line is the passphrase. Without it, the command asks."),
]
_MIN_CHARACTERS: Final = 12
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def choose_passphrase(file: Path | None, *, is_encrypted: bool) -> str | None:
    """Return the passphrase for a new file, or None without encryption. Raises InvalidRequest for a short one."""
    if not is_encrypted and file is None:
        return None
    passphrase = _read(file, is_new=True)
    if len(passphrase) < _MIN_CHARACTERS:
        raise InvalidRequest(
            f"The passphrase has fewer than {_MIN_CHARACTERS} characters.", hint="Use six random words, for example."
        )
    return passphrase


def ask_passphrase(file: Path | None) -> Callable[[], str]:
    """Return a function that reads the passphrase of an encrypted file. It runs only for an encrypted one."""
    return lambda: _read(file, is_new=False)


def _read(file: Path | None, *, is_new: bool) -> str:
    if file is not None:
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
            if file.stat().st_mode & _OTHERS:
                show_error(f"Warning: other accounts can use {file}.", hint=f"Run `chmod 600 {file}`.")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidRequest(f"{file} cannot be read.", hint="Give a text file with the passphrase.") from error
        return lines[0] if lines else ""
    if sys.stdin.isatty():
        return typer.prompt("Passphrase", hide_input=True, confirmation_prompt=is_new, err=True)
    passphrase = sys.stdin.readline().rstrip("\r\n")
    if not (passphrase or is_new):
        raise PassphraseRequired
    return passphrase
