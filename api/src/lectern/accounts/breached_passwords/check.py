"""Compare a new password, and its simple variants, with lists of stolen passwords and with the account's address.

The list that is shipped has 35,000 stolen passwords without the digits and symbols around them. It comes from
`@zxcvbn-ts/language-common` (see LICENSE.txt), and `tools/common_passwords.py` builds it. An operator can add the
complete list of Have I Been Pwned as `pwned-passwords.txt` in the data folder.
"""

import gzip
import hashlib
import string
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO, Final

from pydantic import SecretStr

from lectern.accounts.errors import BreachedPassword

LIST_FILE: Final = Path(__file__).with_name("common-passwords.txt.gz")
HASHES_FILE: Final = "pwned-passwords.txt"  # lines of `SHA-1:COUNT`, sorted, as the downloader of that site writes them
_AFFIXES: Final = string.digits + string.punctuation + string.whitespace
_LEET: Final = str.maketrans("4@3!1057$", "aaeiiosts")
_LONGEST_UNIT: Final = 4  # `abcdabcdabcd` is as weak as `abcd`, in a list or not
_SEQUENCES: Final = ("0123456789" * 4, string.ascii_lowercase * 2, "qwertyuiopasdfghjklzxcvbnm", "1qaz2wsx3edc4rfv5tgb")


class BreachedPasswords:
    """The shipped list, and the file of an operator if it exists."""

    def __init__(self, data_folder: Path | None) -> None:
        self._hashes = data_folder / HASHES_FILE if data_folder else None

    def refuse(self, password: SecretStr, *, email: str) -> None:
        """Raise BreachedPassword if the password or a simple variant is in a list or is the address."""
        value = password.get_secret_value()
        is_listed = not _common_passwords().isdisjoint(variants(value))
        is_address = not _names(email).isdisjoint(variants(value))
        if is_address or is_listed or _is_trivial(value) or self._has_hash(value):
            raise BreachedPassword

    def _has_hash(self, value: str) -> bool:
        if self._hashes is None or not self._hashes.is_file():
            return False
        digest = hashlib.sha1(value.encode("utf-8", "surrogatepass"), usedforsecurity=False)
        wanted = digest.hexdigest().upper().encode()
        with self._hashes.open("rb") as file:
            positions = range(self._hashes.stat().st_size)
            position = bisect_left(positions, wanted, key=lambda at: _hash_after(file, at))
            return _hash_after(file, position) == wanted


def variants(password: str) -> Iterator[str]:
    """Yield a password without case, repetition, substituted letters, and digits and symbols around or in it."""
    text = normalize(password)
    for whole in (text, _repeated_unit(text), "".join(filter(str.isalpha, text))):
        for part in (whole, whole.strip(_AFFIXES), whole.rstrip(_AFFIXES), whole.lstrip(_AFFIXES)):
            for variant in (part, part.translate(_LEET)):
                yield variant
                yield _repeated_unit(variant)


def normalize(password: str) -> str:
    """Return a password without differences of case and of Unicode forms."""
    return unicodedata.normalize("NFKC", password).casefold()


def base_of(password: str) -> str:
    """Return a password as the list has it: normalized, without digits and symbols around it."""
    return normalize(password).strip(_AFFIXES)


def _names(email: str) -> set[str]:
    """Return the forms of an address that are easy to guess: whole, only its letters, and the part before the `@`."""
    address = normalize(email)
    forms = {address, "".join(filter(str.isalpha, address)), address.partition("@")[0]}
    return {form for whole in forms for form in (whole, whole.strip(_AFFIXES)) if form}


def _is_trivial(password: str) -> bool:
    text = normalize(password)
    is_sequence = any(text in line or text in line[::-1] for line in _SEQUENCES)
    return is_sequence or len(_repeated_unit(text)) <= _LONGEST_UNIT


def _repeated_unit(text: str) -> str:
    """Return the shortest unit that the text repeats, or the text."""
    length = (text + text).find(text, 1)
    return text[:length] if length > 0 else text


@cache
def _common_passwords() -> frozenset[str]:
    with gzip.open(LIST_FILE, "rt", encoding="utf-8") as file:
        return frozenset(file.read().split("\n"))


def _hash_after(file: BinaryIO, position: int) -> bytes:
    """Return the hash of the first line that begins at a position or later. At the end, return the last possible."""
    file.seek(max(position - 1, 0))
    if position:
        file.readline()
    return file.readline()[:40].upper() or b"~"
