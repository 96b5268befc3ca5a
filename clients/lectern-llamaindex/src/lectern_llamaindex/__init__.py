"""A LlamaIndex retriever for Lectern."""

from lectern_client import InvalidSearch, LecternError, PermissionRefused, RateLimited, ServerFailure, Unreachable
from lectern_llamaindex.retriever import LecternRetriever

__all__ = [
    "InvalidSearch",
    "LecternError",
    "LecternRetriever",
    "PermissionRefused",
    "RateLimited",
    "ServerFailure",
    "Unreachable",
]
