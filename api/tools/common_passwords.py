"""Build the list of common passwords that is shipped.

    python tools/common_passwords.py passwords.json

`passwords.json` is `src/passwords.json` of the npm package `@zxcvbn-ts/language-common` (version 4.1.3).
"""

import gzip
import json
import sys
from pathlib import Path
from typing import Final

from lectern.accounts.breached_passwords.check import LIST_FILE, base_of, normalize

_MIN_BASE: Final = 4
_MIN_PASSWORD: Final = 12
_ADDED: Final = ("lectern",)


def build(passwords: list[str]) -> bytes:
    """Return the compressed list, sorted, with the same bytes each time."""
    bases = {base_of(password) for password in (*passwords, *_ADDED)}
    entries = {base for base in bases if len(base) >= _MIN_BASE}
    entries |= {normalize(password) for password in passwords if len(password) >= _MIN_PASSWORD}
    return gzip.compress("\n".join(sorted(entries)).encode(), mtime=0)


if __name__ == "__main__":
    LIST_FILE.write_bytes(build(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
