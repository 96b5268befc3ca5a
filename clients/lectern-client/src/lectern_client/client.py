"""Search over REST, from threads and from event loops."""

import logging
import ssl
from collections.abc import Generator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from lectern_client.errors import WRONG_ADDRESS, ServerFailure, Unreachable, error_from_response
from lectern_client.models import PrincipalResponse, SearchResponse
from lectern_client.passages import Passage, SearchOptions, build_passages, build_request

logger = logging.getLogger(__name__)
ModelT = TypeVar("ModelT", bound=BaseModel)
_SEARCH, _ME = "/api/v1/search", "/api/v1/auth/me"


class LecternClient:
    """A client for one address and key.

    It opens a connection for each search. Threads and event loops can share it, and nothing must be closed.
    A search without hits returns an empty list. Every failure is a `LecternError`.
    """

    def __init__(self, url: str, key: str, *, timeout_seconds: float = 30) -> None:
        self.url = url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {key}"}
        self._timeout_seconds = timeout_seconds
        self._web_url: str | None = None

    def search(self, query: str, options: SearchOptions | None = None) -> list[Passage]:
        """Return the passages that match a query, best first. Raises LecternError."""
        body = build_request(query, options or SearchOptions()).model_dump(mode="json", exclude_unset=True)
        with _transport_errors(self.url), httpx.Client(**self._settings()) as http:
            response = _parse(SearchResponse, http.post(_SEARCH, json=body))
            if self._web_url is None:
                self._web_url = self._find_web_url(http.get(_ME))
        return _finish(response, web_url=self._web_url)

    async def asearch(self, query: str, options: SearchOptions | None = None) -> list[Passage]:
        """Return the passages that match a query, best first. Raises LecternError."""
        body = build_request(query, options or SearchOptions()).model_dump(mode="json", exclude_unset=True)
        with _transport_errors(self.url):
            async with httpx.AsyncClient(**self._settings()) as http:
                response = _parse(SearchResponse, await http.post(_SEARCH, json=body))
                if self._web_url is None:
                    self._web_url = self._find_web_url(await http.get(_ME))
        return _finish(response, web_url=self._web_url)

    def _find_web_url(self, response: httpx.Response) -> str:
        """Return the address of the web UI, which serves the API too where none is configured."""
        return (_parse(PrincipalResponse, response).web_url or self.url).rstrip("/")

    def _settings(self) -> dict[str, Any]:
        shared = {"base_url": self.url, "headers": self._headers, "timeout": self._timeout_seconds}
        return {**shared, "verify": self._certificates}

    @cached_property
    def _certificates(self) -> ssl.SSLContext:
        return httpx.create_ssl_context()  # takes longer than a search


@contextmanager
def _transport_errors(url: str) -> Generator[None]:
    try:
        yield
    except (httpx.TimeoutException, TimeoutError) as error:
        hint = "Ask for fewer passages, or set a longer timeout_seconds."
        raise Unreachable(f"{url} did not answer in time.", code="timeout", hint=hint) from error
    except (httpx.TransportError, httpx.InvalidURL, httpx.DecodingError) as error:
        raise Unreachable(f"{url} cannot be reached.", code="unreachable", hint=WRONG_ADDRESS) from error


def _parse(model: type[ModelT], response: httpx.Response) -> ModelT:
    if not response.is_success:
        raise error_from_response(response)
    try:
        return model.model_validate_json(response.content)
    except ValidationError as error:
        status = response.status_code
        message = "The response is not one of this version of the Lectern API."
        raise ServerFailure(message, code="unexpected_response", hint=WRONG_ADDRESS, status=status) from error


def _finish(response: SearchResponse, *, web_url: str) -> list[Passage]:
    if response.metadata.strategy.is_degraded:
        if not response.data:
            raise ServerFailure(response.message, code="search_degraded", hint="Try again later.", status=200)
        logger.warning("Lectern searched a part of the library only: %s", response.message)
    return build_passages(response, web_url=web_url)
