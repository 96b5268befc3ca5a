"""Files encrypted with a passphrase in the age format, which `age` and `rage` decrypt too (ADR 4).

The content is split into chunks of 64 KB, each authenticated with its position. A reader decrypts only what it reads,
so that neither side needs the whole content in memory or in clear on the disk. Format: https://age-encryption.org/v1
"""

import base64
import binascii
import hashlib
import hmac
import io
import os
import re
from typing import IO, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from lectern.errors import LecternError

MAGIC: Final = b"age-encryption.org/v1\n"
WORK_FACTOR: Final = 18  # as age: a second and 256 MB for each guess
_MAX_WORK_FACTOR: Final = 20
_CHUNK_BYTES: Final = 65_536
_TAG_BYTES: Final = 16
_KEY_BYTES = _SALT_BYTES = _NONCE_BYTES = 16
_NO_NONCE: Final = bytes(12)
_MAX_HEADER_BYTES: Final = 1_024
_HEADER: Final = re.compile(
    rb"(age-encryption\.org/v1\n-> scrypt ([A-Za-z0-9+/]{22}) ([1-9]\d?)\n([A-Za-z0-9+/]{43})\n---)"
    rb" ([A-Za-z0-9+/]{43})\n"
)


class WrongPassphrase(LecternError):
    """The passphrase is wrong."""

    default_hint = "Use the passphrase that the file was encrypted with. Nobody can recover it."


class EncryptedFileBroken(LecternError):
    """This encrypted file is incomplete or altered."""

    default_hint = "Get another copy of the file, or use an earlier one."


class EncryptedWriter:
    """Encrypts what is written to it. `finish` writes the last chunk."""

    def __init__(self, file: IO[bytes], passphrase: str, *, work_factor: int = WORK_FACTOR) -> None:
        self._file = file
        self._buffer = bytearray()
        self._number = 0
        self._is_finished = False
        file_key, salt, nonce = os.urandom(_KEY_BYTES), os.urandom(_SALT_BYTES), os.urandom(_NONCE_BYTES)
        wrapped = ChaCha20Poly1305(_passphrase_key(passphrase, salt, work_factor)).encrypt(_NO_NONCE, file_key, None)
        head = MAGIC + b"-> scrypt %s %d\n%s\n---" % (_encode(salt), work_factor, _encode(wrapped))
        file.write(head + b" " + _encode(_header_code(file_key, head)) + b"\n" + nonce)
        self._cipher = ChaCha20Poly1305(_derive(file_key, salt=nonce, purpose=b"payload"))

    def write(self, block: bytes | bytearray | memoryview) -> int:
        self._buffer += block
        while len(self._buffer) > _CHUNK_BYTES:  # the last chunk waits for `finish`
            self._write_chunk(is_last=False)
        return len(block)

    def flush(self) -> None:
        """Flush the file. An incomplete chunk stays in memory."""
        self._file.flush()

    def finish(self) -> None:
        """Write the last chunk. Further calls do nothing."""
        if not self._is_finished:
            self._write_chunk(is_last=True)
            self._is_finished = True

    def _write_chunk(self, *, is_last: bool) -> None:
        chunk = bytes(self._buffer[:_CHUNK_BYTES])
        del self._buffer[:_CHUNK_BYTES]
        self._file.write(self._cipher.encrypt(_chunk_nonce(self._number, is_last=is_last), chunk, None))
        self._number += 1


class EncryptedReader(io.RawIOBase):
    """Decrypts a file at any position.

    Raises:
        WrongPassphrase: On opening.
        EncryptedFileBroken: On opening, if the file has another format or no end. On reading, if a chunk was altered.
    """

    def __init__(self, file: IO[bytes], passphrase: str) -> None:
        self._file = file
        file_key, self._start = _open_header(file.read(_MAX_HEADER_BYTES), passphrase)
        file.seek(self._start)
        nonce = file.read(_NONCE_BYTES)
        self._cipher = ChaCha20Poly1305(_derive(file_key, salt=nonce, purpose=b"payload"))
        self._start += _NONCE_BYTES
        encrypted_bytes = file.seek(0, os.SEEK_END) - self._start
        self._chunk_count = -(-encrypted_bytes // (_CHUNK_BYTES + _TAG_BYTES))
        self._size = encrypted_bytes - self._chunk_count * _TAG_BYTES
        self._position = 0
        self._loaded = (-1, b"")
        if encrypted_bytes < _TAG_BYTES or self._size < 0:
            raise EncryptedFileBroken
        self._load(self._chunk_count - 1)  # only the true last chunk has the mark of the end

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._size}[whence]
        if start + offset < 0:
            raise ValueError("The position is before the start.")
        self._position = start + offset
        return self._position

    def tell(self) -> int:
        return self._position

    def readinto(self, buffer: bytearray | memoryview) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]: any buffer
        if self._position >= self._size:
            return 0
        number, offset = divmod(self._position, _CHUNK_BYTES)
        part = self._load(number)[offset : offset + len(buffer)]
        buffer[: len(part)] = part
        self._position += len(part)
        return len(part)

    def close(self) -> None:
        super().close()
        self._file.close()

    def _load(self, number: int) -> bytes:
        if self._loaded[0] != number:
            self._file.seek(self._start + number * (_CHUNK_BYTES + _TAG_BYTES))
            nonce = _chunk_nonce(number, is_last=number == self._chunk_count - 1)
            try:
                chunk = self._cipher.decrypt(nonce, self._file.read(_CHUNK_BYTES + _TAG_BYTES), None)
            except InvalidTag as error:
                raise EncryptedFileBroken from error
            self._loaded = (number, chunk)
        return self._loaded[1]


def has_header(head: bytes) -> bool:
    """Return True if the first bytes of a file are the header of one that was encrypted with a passphrase."""
    return _HEADER.match(head) is not None


def _open_header(head: bytes, passphrase: str) -> tuple[bytes, int]:
    """Return the key of the file and the length of its header."""
    match = _HEADER.match(head)
    if match is None or int(match[3]) > _MAX_WORK_FACTOR:
        raise EncryptedFileBroken("This file is not encrypted with a passphrase, or its header was altered.")
    try:
        key = _passphrase_key(passphrase, _decode(match[2]), int(match[3]))
        file_key = ChaCha20Poly1305(key).decrypt(_NO_NONCE, _decode(match[4]), None)
    except InvalidTag as error:
        raise WrongPassphrase from error
    except binascii.Error as error:
        raise EncryptedFileBroken from error
    if not hmac.compare_digest(_encode(_header_code(file_key, match[1])), match[5]):
        raise EncryptedFileBroken
    return file_key, match.end()


def _passphrase_key(passphrase: str, salt: bytes, work_factor: int) -> bytes:
    kdf = Scrypt(salt=b"age-encryption.org/v1/scrypt" + salt, length=32, n=1 << work_factor, r=8, p=1)
    return kdf.derive(passphrase.encode())


def _derive(file_key: bytes, *, salt: bytes | None, purpose: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=purpose).derive(file_key)


def _header_code(file_key: bytes, head: bytes) -> bytes:
    return hmac.digest(_derive(file_key, salt=None, purpose=b"header"), head, hashlib.sha256)


def _chunk_nonce(number: int, *, is_last: bool) -> bytes:
    return number.to_bytes(11) + bytes([is_last])


def _encode(data: bytes) -> bytes:
    return base64.b64encode(data).rstrip(b"=")


def _decode(text: bytes) -> bytes:
    return base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
