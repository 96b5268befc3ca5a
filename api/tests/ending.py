"""Functions that the test session calls at its end."""

from collections.abc import Awaitable, Callable

CLOSE_AT_END: list[Callable[[], Awaitable[None]]] = []
