"""Sign messages as Standard Webhooks 1.0 says: HMAC-SHA256 over id, timestamp and body."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Final

PREFIX: Final = "whsec_"
_SECRET_BYTES: Final = 32


def new_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def sign(message_id: str, timestamp: int, body: bytes, *, with_secrets: Sequence[str]) -> dict[str, str]:
    """Return the headers of a message. Each secret gives one signature, so receivers may know either."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    digests = [
        hmac.digest(base64.b64decode(each.removeprefix(PREFIX)), signed, hashlib.sha256) for each in with_secrets
    ]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(f"v1,{base64.b64encode(digest).decode()}" for digest in digests),
    }
