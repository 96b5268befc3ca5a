"""Access and refresh tokens: signed, short, and naming the sign-in they belong to. The only file that knows jose.

An access token says who and which sign-in; whether that sign-in still stands is asked of the database at each use, so
signing out works at once. A refresh token is good for one use: its hash is kept with the sign-in.
"""

import hashlib
import secrets
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal, cast

from jose import JWTError, jwt  # pyright: ignore[reportMissingTypeStubs]: the library ships none
from pydantic import SecretStr

_ALGORITHM: Final = "HS256"
_ISSUER: Final = "lectern"
Audience = Literal["lectern:access", "lectern:refresh"]

_jwt: Final = cast("Any", jwt)


@dataclass(frozen=True, slots=True)
class TokenClaims:
    """Whose token it is, and the sign-in it belongs to."""

    user_id: uuid.UUID
    session_id: uuid.UUID


class Tokens:
    """Signs and reads tokens with one secret."""

    def __init__(self, secret: SecretStr) -> None:
        self._secret = secret

    def sign(self, claims: TokenClaims, *, audience: Audience, now: datetime, life: timedelta) -> str:
        """A token that is good from `now` for `life`."""
        content = {
            "iss": _ISSUER,
            "aud": audience,
            "sub": str(claims.user_id),
            "sid": str(claims.session_id),
            "jti": secrets.token_urlsafe(16),
            "iat": int(now.timestamp()),
            "exp": int((now + life).timestamp()),
        }
        return _jwt.encode(content, self._secret.get_secret_value(), algorithm=_ALGORITHM)

    def read(self, token: str, *, audience: Audience, is_expiry_checked: bool = True) -> TokenClaims | None:
        """What a token says; None for one that is forged, damaged, expired or meant for something else."""
        # the library takes "required" for "to be verified"
        options = {"verify_exp": is_expiry_checked, "require_exp": is_expiry_checked, "require_aud": True}
        try:
            content = _jwt.decode(
                token,
                self._secret.get_secret_value(),
                algorithms=[_ALGORITHM],
                audience=audience,
                issuer=_ISSUER,
                options=options,
            )
            return TokenClaims(uuid.UUID(content["sub"]), uuid.UUID(content["sid"]))
        except (JWTError, ValueError, KeyError, TypeError, AttributeError):
            return None


def token_hash(token: str) -> str:
    """What is kept of a token or an API key: they are long and random, so a fast hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
