"""Encrypt secrets in the database with a key that is derived from the signing keys."""

import base64
from collections.abc import Sequence
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from pydantic import SecretStr

from lectern.accounts.errors import SecondFactorUnreadable

_SECOND_FACTOR: Final = "lectern second factor"


class SecretCipher:
    """Encrypt with the first key, and decrypt with any (Fernet: AES-128-CBC and HMAC-SHA256)."""

    def __init__(self, keys: Sequence[SecretStr], *, purpose: str = _SECOND_FACTOR) -> None:
        ciphers = [Fernet(_derive(key, purpose)) for key in keys]
        self._first, self._all = ciphers[0], MultiFernet(ciphers)

    def encrypt(self, text: str) -> str:
        return self._first.encrypt(text.encode()).decode()

    def decrypt(self, encrypted: str) -> str:
        """Decrypt a text. Raises SecondFactorUnreadable."""
        try:
            return self._all.decrypt(encrypted).decode()
        except InvalidToken as error:
            raise SecondFactorUnreadable from error

    def find_decrypted(self, encrypted: str) -> str | None:
        """Decrypt a text, or return None if no key fits."""
        try:
            return self.decrypt(encrypted)
        except SecondFactorUnreadable:
            return None

    def reencrypt(self, encrypted: str) -> str | None:
        """Encrypt a text with the first key, or return None if it already is. Raises SecondFactorUnreadable."""
        try:
            self._first.decrypt(encrypted)
        except InvalidToken:
            return self.encrypt(self.decrypt(encrypted))
        return None


def _derive(key: SecretStr, purpose: str) -> bytes:
    derivation = HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose.encode())
    return base64.urlsafe_b64encode(derivation.derive(key.get_secret_value().encode()))
