"""Sign and verify access, refresh and challenge tokens. Only this file imports jose.

Tokens contain the ids of the user and the session. The session is checked in the database at each use, so sign-out
works at once. A refresh token is valid for one use: its hash is stored with the session.

The header `kid` names the signing key. The first key signs. The others verify tokens from before a rotation.
"""

import hashlib
import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal, cast

from jose import JWTError, jwt  # pyright: ignore[reportMissingTypeStubs]: the library ships none
from pydantic import SecretStr

_ALGORITHM: Final = "HS256"
_ISSUER: Final = "lectern"
Audience = Literal["lectern:access", "lectern:refresh", "lectern:challenge", "lectern:key-test"]

_jwt: Final = cast("Any", jwt)


@dataclass(frozen=True, slots=True)
class TokenClaims:
    """The user and the session of a token."""

    user_id: uuid.UUID
    session_id: uuid.UUID


class Tokens:
    """Sign tokens with the first key, and verify them with the key that they name."""

    def __init__(self, keys: Sequence[SecretStr]) -> None:
        self._keys = {_key_id(key.get_secret_value()): key for key in keys}
        self._current = next(iter(self._keys))

    def sign(self, claims: TokenClaims, *, audience: Audience, now: datetime, life: timedelta) -> str:
        """Return a token that is valid from `now` for `life`."""
        content = {
            "iss": _ISSUER,
            "aud": audience,
            "sub": str(claims.user_id),
            "sid": str(claims.session_id),
            "jti": secrets.token_urlsafe(16),
            "iat": int(now.timestamp()),
            "exp": int((now + life).timestamp()),
        }
        key = self._keys[self._current].get_secret_value()
        return _jwt.encode(content, key, algorithm=_ALGORITHM, headers={"kid": self._current})

    def read(self, token: str, *, audience: Audience, is_expiry_checked: bool = True) -> TokenClaims | None:
        """Return the claims of a token, or None if it is invalid, expired or for another audience."""
        # The library verifies only claims that are required.
        options = {"verify_exp": is_expiry_checked, "require_exp": is_expiry_checked, "require_aud": True}
        try:
            key = self._keys[_jwt.get_unverified_header(token)["kid"]]
            content = _jwt.decode(
                token,
                key.get_secret_value(),
                algorithms=[_ALGORITHM],
                audience=audience,
                issuer=_ISSUER,
                options=options,
            )
            return TokenClaims(uuid.UUID(content["sub"]), uuid.UUID(content["sid"]))
        except (JWTError, ValueError, KeyError, TypeError, AttributeError):
            return None


def _key_id(key: str) -> str:
    """Return a name of a key. It reveals nothing that a signature does not."""
    return hashlib.sha256(f"kid:{key}".encode()).hexdigest()[:16]


def hash_token(token: str) -> str:
    """Hash a token or an API key. They are long and random, so a fast hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
