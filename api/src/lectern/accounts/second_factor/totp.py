"""Time-based one-time passwords (RFC 6238 on RFC 4226) and recovery codes. Pure functions."""

import base64
import hmac
import re
import secrets
from typing import Final
from urllib.parse import quote, urlencode

ISSUER: Final = "Lectern"
DIGITS: Final = 6
STEP_SECONDS: Final = 30
_DRIFT: Final = (-1, 0, 1)  # steps, for clocks that differ and for slow typing
_SECRET_BYTES: Final = 20  # the length of SHA-1, as RFC 4226 recommends
RECOVERY_CODES: Final = 10
_RECOVERY_BYTES: Final = 10  # 80 bits, so a fast hash is enough
_CODE: Final = re.compile(rf"[0-9]{{{DIGITS}}}", re.ASCII)


def new_secret() -> str:
    """Return a random secret in base32, as authenticator apps expect it."""
    return base64.b32encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def hotp(secret: bytes, counter: int, *, digits: int = DIGITS, algorithm: str = "sha1") -> str:
    """Return the code of a counter (RFC 4226, section 5.3)."""
    digest = hmac.digest(secret, counter.to_bytes(8, "big"), algorithm)
    offset = digest[-1] & 0x0F
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def current_step(at: float) -> int:
    """Return the number of the time step (RFC 6238, section 4.2)."""
    return int(at) // STEP_SECONDS


def find_step(secret: str, code: str, *, at: float) -> int | None:
    """Return the time step of a code, or None if no step near `at` has it."""
    key = base64.b32decode(secret)
    matching = [
        step
        for step in (current_step(at) + drift for drift in _DRIFT)
        if hmac.compare_digest(hotp(key, step).encode(), code.encode())
    ]
    return max(matching, default=None)


def provisioning_uri(secret: str, *, account: str) -> str:
    """Return the URI that authenticator apps read from a QR code."""
    values = {"secret": secret, "issuer": ISSUER, "algorithm": "SHA1", "digits": DIGITS, "period": STEP_SECONDS}
    return f"otpauth://totp/{ISSUER}:{quote(account)}?{urlencode(values)}"


def new_recovery_codes() -> list[str]:
    """Return random codes such as `abcd-efgh-ijkl-mnop`."""
    texts = [base64.b32encode(secrets.token_bytes(_RECOVERY_BYTES)).decode().lower() for _ in range(RECOVERY_CODES)]
    return ["-".join(re.findall("....", text)) for text in texts]


def normalize_code(code: str) -> str:
    """Remove the spaces and hyphens that apps and people add."""
    return re.sub(r"[\s-]", "", code).lower()


def is_time_code(code: str) -> bool:
    """Return True for a normalized code of an app, False for a recovery code."""
    return _CODE.fullmatch(code) is not None
