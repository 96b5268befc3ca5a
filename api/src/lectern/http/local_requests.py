"""Recognise requests from this machine, and allow metrics to them or to holders of the token."""

import hmac
import ipaddress
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

_FORWARDED: Final = frozenset({"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"})


def may_read_metrics(headers: Mapping[str, str], *, client: str | None, token: str | None) -> bool:
    """Return True for a request with the token, or for a local one if there is no token."""
    if token is None:
        return is_local(headers, client=client)
    given = headers.get("authorization", "").encode("utf-8", "replace")
    return hmac.compare_digest(given, f"Bearer {token}".encode())


def is_local(headers: Mapping[str, str], *, client: str | None) -> bool:
    """Return True if a program on this machine sent the request without a proxy. Names of headers are lowercase."""
    if client is None or not _FORWARDED.isdisjoint(headers):
        return False
    return is_loopback(client) and is_loopback(_host_name(headers.get("host", "")))


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Return True for `localhost` and the loopback addresses."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
