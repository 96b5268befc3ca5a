"""Files in the age format: what is written comes back, and nothing altered is read."""

import base64
import io
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectern.library.archive import ArchiveReader, ArchiveWriter, PassphraseRequired
from lectern.library.encryption import EncryptedFileBroken, EncryptedReader, EncryptedWriter, WrongPassphrase

PASSPHRASE = "correct horse battery"
CHUNK = 65_536
# Written by another program: rage.
FOREIGN = base64.b64decode(
    "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBGL2l6eGVPcVVUUU85Y3pSTDhUZ1VBIDIwCitxQXdkNlBwSitkeFNSaHEwOElWaUxmcVdhNFNZ"
    "aG0weDhEZWtza0JjNzQKLS0tIFpWbXJMY3lTRmpQem8xV1lWREtVZmVjVFhubnorejcvbGl3MGl6UkpZdG8K/ixK/wbHHnnt0LEoqXdlivfz1cbB3giD"
    "yRDm+J7o8DE7oERtrn3OS5mhZCxi"
)


def encrypted(content: bytes) -> bytes:
    file = io.BytesIO()
    writer = EncryptedWriter(file, PASSPHRASE, work_factor=2)
    for start in range(0, len(content), 50_000):
        writer.write(content[start : start + 50_000])
    writer.finish()
    return file.getvalue()


def opened(content: bytes, passphrase: str = PASSPHRASE) -> io.BufferedReader:
    return io.BufferedReader(EncryptedReader(io.BytesIO(content), passphrase))


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 200_001])
def test_content_comes_back(size: int) -> None:
    content = os.urandom(size)
    assert opened(encrypted(content)).read() == content


def test_a_file_of_another_program_is_read() -> None:
    assert opened(FOREIGN).read() == b"Made by rage."


CONTENT = os.urandom(3 * CHUNK + 100)
WHOLE = encrypted(CONTENT)


@given(st.integers(0, len(CONTENT)), st.integers(0, len(CONTENT)))
@settings(deadline=None, max_examples=50)
def test_any_part_is_read(start: int, size: int) -> None:
    file = opened(WHOLE)
    file.seek(start)
    assert file.read(size) == CONTENT[start : start + size]


@given(st.integers(0, len(CONTENT) + 300), st.integers(0, 7))
@settings(deadline=None, max_examples=100)
def test_a_changed_bit_is_noticed(position: int, bit: int) -> None:
    altered = bytearray(WHOLE)
    altered[position % len(altered)] ^= 1 << bit
    with pytest.raises((EncryptedFileBroken, WrongPassphrase)):
        opened(bytes(altered)).read()


@given(st.integers(0, len(CONTENT) + 300))
@settings(deadline=None, max_examples=50)
def test_a_truncated_file_is_refused_when_it_is_opened(length: int) -> None:
    with pytest.raises(EncryptedFileBroken):
        opened(WHOLE[: length % len(WHOLE)])


def test_chunks_cannot_be_removed_or_swapped() -> None:
    size = CHUNK + 16
    start = len(WHOLE) - (3 * size + 116)
    first, second, rest = (
        WHOLE[start : start + size],
        WHOLE[start + size : start + 2 * size],
        WHOLE[start + 2 * size :],
    )
    for chunks in ((second, first, rest), (first, rest), (first, second)):
        with pytest.raises(EncryptedFileBroken):
            opened(WHOLE[:start] + b"".join(chunks)).read()


def test_another_passphrase_is_wrong() -> None:
    with pytest.raises(WrongPassphrase):
        opened(WHOLE, "another passphrase")


def test_a_costly_header_is_refused_before_the_key_is_derived() -> None:
    with pytest.raises(EncryptedFileBroken):
        opened(WHOLE.replace(b" 2\n", b" 30\n", 1))


def test_an_encrypted_archive_shows_no_name_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "a.age"
    with ArchiveWriter(path, passphrase=PASSPHRASE) as archive:
        archive.write("secret-name.txt", b"secret content" * 10_000)
        archive.publish()
    assert path.stat().st_mode & 0o777 == 0o600
    assert b"secret" not in path.read_bytes()
    with ArchiveReader(path, passphrase=lambda: PASSPHRASE) as reader:
        assert reader.read("secret-name.txt") == b"secret content" * 10_000
    with pytest.raises(PassphraseRequired):
        ArchiveReader(path)
    with pytest.raises(WrongPassphrase):
        ArchiveReader(path, passphrase=lambda: "another one")
