"""Send a signed message to an endpoint, without redirects and without reaching the private network."""

import asyncio
import base64
import contextlib
import hashlib
import hmac
import json
import logging
import secrets
import ssl
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

import httpcore

from lectern.accounts.context import signing_keys
from lectern.accounts.encryption import SecretCipher
from lectern.accounts.errors import SecondFactorUnreadable
from lectern.errors import LecternError, Misconfigured
from lectern.extracts.addresses import Allowed, target_of
from lectern.extracts.errors import AddressRefused
from lectern.extracts.fetching import CheckedBackend, resolve_host
from lectern.http.addresses import public_address
from lectern.settings import Settings
from lectern.webhooks.errors import WebhookSecretUnreadable
from lectern.webhooks.models import Webhook

logger: Final = logging.getLogger(__name__)

PREFIX: Final = "whsec_"
_SECRET_BYTES: Final = 32
TIMEOUT_SECONDS: Final = 10.0
_GONE: Final = 410
_READ_BYTES: Final = 65_536
_DRAIN_SECONDS: Final = 1.0
_PURPOSE: Final = "lectern webhooks"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """The result of sending one message. `error` is a code, or None if the endpoint accepted it."""

    status_code: int | None
    error: str | None
    milliseconds: int

    @property
    def is_gone(self) -> bool:
        """True if the endpoint says that it wants no more."""
        return self.status_code == _GONE


class Sender:
    """Sends messages. Without JWT_SECRET_KEY every attempt fails and says why."""

    def __init__(self, settings: Settings) -> None:
        self.base_url = public_address("", http=settings.http)
        self.cipher: SecretCipher | None = None
        try:
            self.cipher = SecretCipher(signing_keys(settings.accounts), purpose=_PURPOSE)
        except Misconfigured as error:
            logger.warning("Webhooks cannot be sent: %s", error.message)
        self._backend = CheckedBackend(Allowed.of(settings.extracts.allowed), resolve_host)

    async def check_url(self, url: str) -> None:
        """Raise AddressRefused unless the URL leads to a host that may be reached."""
        target = target_of(url)
        await self._backend.addresses(target.host, target.port)

    async def send(self, webhook: Webhook, event_id: uuid.UUID, message: Mapping[str, Any]) -> Attempt:
        """Send a message once. Every failure is a result."""
        started = time.monotonic()
        status_code, error = None, None
        try:
            status_code = await self._post(webhook, event_id, message)
        except TimeoutError:
            error = "no_answer"
        except LecternError as refused:
            error = refused.code
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, ssl.SSLError) as failed:
            error = _code_of(failed)
        if status_code is not None and not 200 <= status_code < 300:  # noqa: PLR2004 - success
            error = f"http_{status_code}"
        return Attempt(status_code=status_code, error=error, milliseconds=round((time.monotonic() - started) * 1000))

    async def _post(self, webhook: Webhook, event_id: uuid.UUID, message: Mapping[str, Any]) -> int:
        body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
        target_of(webhook.url)
        signed = sign(f"msg_{event_id.hex}", int(time.time()), body, with_secrets=self._secrets(webhook))
        headers = [(b"Content-Type", b"application/json"), (b"User-Agent", b"Lectern-Webhooks")]
        headers += [(name.encode(), value.encode()) for name, value in signed.items()]
        pool = httpcore.AsyncConnectionPool(
            ssl_context=_tls(), network_backend=self._backend, max_keepalive_connections=0
        )
        async with pool, contextlib.AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    sent = pool.stream("POST", webhook.url, headers=headers, content=body)
                    response = await stack.enter_async_context(sent)
            except (httpcore.UnsupportedProtocol, ValueError, TypeError) as error:
                raise AddressRefused("This is no URL.") from error
            await _drain(response)
            return response.status

    def _secrets(self, webhook: Webhook) -> Sequence[str]:
        if self.cipher is None:
            raise WebhookSecretUnreadable
        now = datetime.now(UTC)
        has_previous = webhook.previous_expires_at is not None and webhook.previous_expires_at > now
        encrypted = [webhook.secret, *([webhook.previous_secret or ""] if has_previous else [])]
        try:
            return [self.cipher.decrypt(each) for each in encrypted]
        except SecondFactorUnreadable as error:
            raise WebhookSecretUnreadable from error


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _code_of(failed: Exception) -> str:
    if "CERTIFICATE_VERIFY_FAILED" in str(failed):
        return "certificate_invalid"
    if isinstance(failed, httpcore.ConnectError | ssl.SSLError):
        return "no_connection"
    return "connection_broken"


async def _drain(response: httpcore.Response) -> None:
    """Read a little of the answer, so that well-behaved servers see no broken connection. The status counts anyway."""
    count = 0
    with contextlib.suppress(TimeoutError, httpcore.NetworkError, httpcore.ProtocolError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            async for piece in response.aiter_stream():
                count += len(piece)
                if count > _READ_BYTES:
                    return
