"""A library of bank documents and requests to it over HTTP."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from benchmarks.throwaway import ThrowawayDatabase
from tests.api import Api, api_settings, open_api
from tests.search.library import Shelf, store_document

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import open_database
from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.providers.hash import HashProvider
from lectern.settings import EmbeddingsSettings

ANSWERS = "/api/v1/answers"
TARIFF = [
    "The bank does not charge a fee for payments of up to 1,500 euro. Transfers are free on Sundays.",
    "Cards are sent by post within five days. Payments abroad cost 2.5% of the\namount, and never less than 5 euro.",
    "A fee is charged for paper statements. The fee for a paper statement is 3 euro.",
]
REPORT_2023 = ["Annual report 2023 of Quercialta. In 2023 the net profit of Quercialta was 41.2 million euro."]
REPORT_2024 = ["Annual report 2024 of Quercialta. In 2024 the net profit of Quercialta was 47.9 million euro."]
SECRET = ["The vault of the branch opens at nine in the morning and closes at five."]


async def fill_library(database: ThrowawayDatabase) -> None:
    """Store four documents with their embeddings."""
    provider = HashProvider(64)
    shelf = Shelf(provider=provider, generation=prepare_generation(database.owner_url, provider.info))
    async with open_database(database.service_url) as library, library.session(SYSTEM_SCOPE) as session:
        await store_document(session, TARIFF, filename="tariff.pdf", title="Tariff", tags=["fees"], shelf=shelf)
        await store_document(session, REPORT_2023, filename="report_2023.pdf", tags=["reports"], shelf=shelf)
        await store_document(session, REPORT_2024, filename="report_2024.pdf", tags=["reports"], shelf=shelf)
        await store_document(session, SECRET, filename="vault.pdf", tags=["secret"], shelf=shelf)


@asynccontextmanager
async def open_library(
    database: ThrowawayDatabase, folder: Path, *, is_new: bool = False, **settings: Any
) -> AsyncGenerator[Api]:
    """Open an API on a database with the four documents. `settings` replace sections."""
    made = api_settings(database, folder)
    made.embeddings = EmbeddingsSettings(provider="hash:64")
    for name, section in settings.items():
        setattr(made, name, section)
    async with open_api(made, is_new=is_new) as api:
        yield api


async def ask(api: Api, question: str, headers: dict[str, str] | None = None, **wanted: Any) -> dict[str, Any]:
    """Return the response to a question."""
    headers = headers or (await api.person()).headers
    response = await api.client.post(ANSWERS, json={"question": question, **wanted}, headers=headers)
    assert response.status_code == 200, response.text
    return response.json()


async def stream(api: Api, question: str, **wanted: Any) -> list[tuple[str, dict[str, Any]]]:
    """Return the names and data of the events."""
    headers = (await api.person()).headers
    body = {"question": question, "stream": True, **wanted}
    response = await api.client.post(ANSWERS, json=body, headers=headers)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith("text/event-stream")
    blocks = [block.split("\n", maxsplit=1) for block in response.text.strip().split("\n\n")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in blocks]
