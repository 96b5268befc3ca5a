"""OLE files ([MS-CFB], version 3) and Outlook messages ([MS-OXMSG]) for tests."""

import struct
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

Tree = Mapping[str, Any]  # a stream is bytes, a storage a tree

_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_SECTOR, _MINI, _CUTOFF = 512, 64, 4096


class _Sectors:
    """Sectors of one size, chained in a table."""

    def __init__(self, size: int) -> None:
        self.size, self.content, self.table = size, b"", list[int]()

    def add(self, content: bytes) -> int:
        """Add a stream and return its first sector."""
        if not content:
            return _END
        start = len(self.table)
        count = -(-len(content) // self.size)
        self.content += content.ljust(count * self.size, b"\0")
        self.table += [*range(start + 1, start + count), _END]
        return start


def ole(tree: Tree) -> bytes:
    """Return a compound file with these streams and storages."""
    big, mini = _Sectors(_SECTOR), _Sectors(_MINI)
    entries: list[list[Any]] = []

    def enter(name: str, content: Any, *, kind: int) -> int:
        place = len(entries)
        entries.append([name, kind, _FREE, _FREE, _END, 0])
        if isinstance(content, bytes):
            sectors = mini if len(content) < _CUTOFF else big
            entries[place][4:] = [sectors.add(content), len(content)]
            return place
        children = [enter(key, value, kind=2 if isinstance(value, bytes) else 1) for key, value in content.items()]
        children.sort(key=lambda child: (len(entries[child][0]), entries[child][0].upper()))
        entries[place][3] = children[0] if children else _FREE
        for child, following in pairwise(children):
            entries[child][2] = following
        return place

    enter("Root Entry", tree, kind=5)
    entries[0][4:] = [big.add(mini.content), len(mini.content)]
    table = b"".join(struct.pack("<I", number) for number in mini.table)
    first_mini = big.add(table + b"\xff" * (-len(table) % _SECTOR)) if table else _END
    directory = b"".join(map(_directory_entry, entries))
    first_directory = big.add(directory + b"\0" * (-len(directory) % _SECTOR))
    count = 1
    while (len(big.table) + count) * 4 > count * _SECTOR:
        count += 1
    fat = [*big.table, *[_FAT] * count]
    written = b"".join(struct.pack("<I", number) for number in fat).ljust(count * _SECTOR, b"\xff")
    header = struct.pack(
        "<8s16s5H6s9I",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6, b"", 0, count, first_directory, 0, _CUTOFF,
        first_mini, -(-len(table) // _SECTOR), _END, 0,
    )  # fmt: skip
    places = [len(big.table) + number for number in range(count)]
    header += b"".join(struct.pack("<I", number) for number in [*places, *[_FREE] * (109 - count)])
    return header + big.content + written


def _directory_entry(entry: list[Any]) -> bytes:
    name, kind, right, child, start, size = entry
    encoded = name.encode("utf-16-le")
    return struct.pack(
        "<64sHBBIII16sIQQIQ", encoded, len(encoded) + 2, kind, 1, _FREE, right, child, b"", 0, 0, 0, start, size
    )


def message(
    texts: Mapping[int, str],
    *,
    binary: Mapping[int, bytes] | None = None,
    sent: datetime | None = None,
    numbers: Mapping[int, int] | None = None,
    code_page: str | None = None,
    attached: tuple[Tree, ...] = (),
    is_inner: bool = False,
) -> dict[str, Any]:
    """Return a message from its properties. Texts are Unicode, or bytes in a code page."""
    made: dict[str, Any] = {}
    for key, value in texts.items():
        kind, raw = ("001F", value.encode("utf-16-le")) if code_page is None else ("001E", value.encode(code_page))
        made[f"__substg1.0_{key:04X}{kind}"] = raw
    for key, value in (binary or {}).items():
        made[f"__substg1.0_{key:04X}0102"] = value
    rows = [struct.pack("<HHIQ", 0x0003, key, 6, value) for key, value in (numbers or {}).items()]
    if sent is not None:
        ticks = int((sent - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000
        rows.append(struct.pack("<HHIQ", 0x0040, 0x0039, 6, ticks))
    made["__properties_version1.0"] = b"\0" * (24 if is_inner else 32) + b"".join(rows)
    for number, attachment in enumerate(attached):
        made[f"__attach_version1.0_#{number:08X}"] = attachment
    return made


def attachment(texts: Mapping[int, str], *, inner: Tree | None = None) -> dict[str, Any]:
    """Return an attached file or message."""
    made = message(texts)
    made["__properties_version1.0"] = b"\0" * 8
    return made | ({"__substg1.0_3701000D": inner} if inner else {"__substg1.0_37010102": b"%PDF"})
