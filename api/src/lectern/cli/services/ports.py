"""Checks for free ports."""

from lectern.embedded.errors import PortInUse
from lectern.embedded.host import find_listener, is_port_free


def require_free_port(host: str, port: int, *, hint: str) -> None:
    """Refuse to start if the port is in use.

    Raises:
        PortInUse: Names the port, and the process when it can be seen.
    """
    if not is_port_free(host, port):
        raise PortInUse(f"Port {port} is in use by {holder_of(port)}.", hint=hint)


def holder_of(port: int) -> str:
    """Describe the program that listens on a port."""
    holder = find_listener(port)
    return f"process {holder.pid} ({holder.name})" if holder else "another program"
