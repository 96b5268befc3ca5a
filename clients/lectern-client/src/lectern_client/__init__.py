"""Search a Lectern library over its REST API."""

from lectern_client.client import LecternClient
from lectern_client.errors import (
    InvalidSearch,
    LecternError,
    PermissionRefused,
    RateLimited,
    ServerFailure,
    Unreachable,
)
from lectern_client.models import TagFilter
from lectern_client.passages import Citation, Passage, SearchMode, SearchOptions

__all__ = [
    "Citation",
    "InvalidSearch",
    "LecternClient",
    "LecternError",
    "Passage",
    "PermissionRefused",
    "RateLimited",
    "SearchMode",
    "SearchOptions",
    "ServerFailure",
    "TagFilter",
    "Unreachable",
]
