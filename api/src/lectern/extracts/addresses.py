"""URLs that may be fetched: http(s) on the public Internet only."""

import ipaddress
import re
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from lectern.extracts.errors import AddressRefused, HostRefused

MAX_URL_CHARACTERS: Final = 2_048
IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAME: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?")
_UNSAFE: Final = re.compile(r"[\x00-\x20\x7f\\]")
_PORTS: Final = {"http": 80, "https": 443}
# Addresses of IPv6 that carry one of IPv4 in their last 32 bits: translated (RFC 6052, 8215), compatible.
_CARRYING: Final = tuple(map(ipaddress.IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "::/96")))
# Not the public Internet either, whatever the ipaddress of this Python says: protocol assignments and documentation
# (IANA's special-purpose registries), relays and site-local addresses of old (RFC 7526, 3879), and the address at which
# Azure answers its machines, which is a public one by its number.
_RESERVED: Final = tuple(
    map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32", "fec0::/10", "3fff::/20"))
)


class UrlTarget(NamedTuple):
    """The host of a URL in lower case (a name or an address), and its port."""

    scheme: str
    host: str
    port: int


class Allowed(NamedTuple):
    """Hosts and networks that may be reached although they are not public."""

    hosts: frozenset[str]
    networks: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]

    @staticmethod
    def of(names: Sequence[str]) -> "Allowed":
        """Parse names, addresses and networks (`10.0.0.0/8`)."""
        hosts: set[str] = set()
        networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = []
        for name in names:
            try:
                networks.append(ipaddress.ip_network(name, strict=False))
            except ValueError:
                hosts.add(name.lower())
        return Allowed(frozenset(hosts), tuple(networks))


def target_of(url: str) -> UrlTarget:
    """Return the host and port of a URL. Raises AddressRefused for anything but a plain http(s) URL."""
    if len(url) > MAX_URL_CHARACTERS:
        raise AddressRefused(f"The URL has more than {MAX_URL_CHARACTERS:,} characters.")
    if _UNSAFE.search(url):
        raise AddressRefused("The URL has spaces, control characters or backslashes.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise AddressRefused("This is no URL.") from None
    if parts.scheme not in _PORTS:
        raise AddressRefused(f"Only http and https are allowed, not {parts.scheme or 'a path'!r}.")
    if parts.username is not None or parts.password is not None:
        raise AddressRefused("URLs with a user name or password are not allowed.", hint="Remove them from the URL.")
    if port == 0:
        raise AddressRefused("Port 0 is no port.")
    return UrlTarget(parts.scheme, _host(parts.hostname or ""), port or _PORTS[parts.scheme])


def _host(host: str) -> str:
    """Return the host in lower-case ASCII. Octal, hexadecimal and short IP addresses are refused."""
    if ":" in host:
        if "%" in host:
            raise AddressRefused("Addresses with a zone are not allowed.")
        try:
            return str(ipaddress.IPv6Address(host))
        except ValueError:
            raise AddressRefused("This is not an IPv6 address.") from None
    try:
        name = host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        raise AddressRefused("The host name is not valid.") from None
    if not _NAME.fullmatch(name):
        raise AddressRefused("The host name is not valid.")
    last = name.rstrip(".").rpartition(".")[2]
    if last.isdecimal() or re.fullmatch("0x[0-9a-f]*", last):
        try:
            return str(ipaddress.IPv4Address(name.rstrip(".")))
        except ValueError:
            raise AddressRefused("Write an IPv4 address as four decimal numbers.") from None
    return name


def check_address(address: IpAddress, host: str, *, allowed: Allowed) -> None:
    """Raise HostRefused unless the address is public, or it or its host is allowed."""
    if host in allowed.hosts or any(address in network for network in allowed.networks):
        return
    if not all(_is_public(form) for form in _forms(address)):
        raise HostRefused


def _forms(address: IpAddress) -> list[IpAddress]:
    """Return the address and the IPv4 addresses that it embeds."""
    forms: list[IpAddress] = [address]
    if isinstance(address, ipaddress.IPv6Address):
        teredo = address.teredo or ()
        forms += [form for form in (address.ipv4_mapped, address.sixtofour, *teredo) if form is not None]
        if any(address in network for network in _CARRYING):
            forms.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return forms


def _is_public(address: IpAddress) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return False  # a written IPv4 address has no need of a disguise
    is_special = address.is_multicast or address.is_reserved or any(address in network for network in _RESERVED)
    return address.is_global and not is_special
