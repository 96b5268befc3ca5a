"""Somebody who works with a library over REST, and looks at what becomes of it."""

from dataclasses import dataclass
from typing import Any

import httpx
from tests.api import Api, Person
from tests.ingestion.library import Library

DOCUMENTS = "/api/v1/documents"


@dataclass
class Desk:
    """An API, the library behind it, and a person who may write."""

    api: Api
    library: Library
    person: Person

    async def send(self, method: str, path: str, **more: Any) -> httpx.Response:
        """A request under `/api/v1/documents`."""
        headers = {**self.person.headers, **more.pop("headers", {})}
        return await self.api.client.request(method, DOCUMENTS + path, headers=headers, **more)

    async def get(self, path: str, **parameters: Any) -> dict[str, Any]:
        response = await self.send("GET", path, params=parameters)
        assert response.status_code == 200, response.text
        return response.json()

    async def put(self, document_id: str, content: bytes, **parameters: Any) -> dict[str, Any]:
        """Another content for a document."""
        response = await self.send("PUT", f"/{document_id}/content", content=content, params=parameters)
        assert response.status_code == 202, response.text
        return response.json()

    async def add(self, content: bytes, **more: Any) -> str:
        """A document that somebody uploads."""
        return (await self.api.upload(self.person.headers, content, **more))["document"]["id"]

    async def settled(self, document_id: str) -> dict[str, Any]:
        """The document once no job works on it."""

        async def is_settled() -> bool:
            progress = (await self.get(f"/{document_id}"))["progress"]
            return progress["state"] not in {"queued", "running"}

        await self.library.until(is_settled)
        return await self.get(f"/{document_id}")

    async def search(self, query: str, **wanted: Any) -> list[dict[str, Any]]:
        response = await self.api.client.post(
            "/api/v1/search", json={"query": query, **wanted}, headers=self.person.headers
        )
        assert response.status_code == 200, response.text
        return response.json()["data"]
