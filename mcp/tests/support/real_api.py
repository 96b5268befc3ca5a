"""The real API on a throw-away Postgres, with its worker and a few real documents, on a loopback port."""

import asyncio
import atexit
from collections.abc import AsyncGenerator, Generator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI
from lectern.app import create_app
from lectern.cli.services.migrate import update_schema
from lectern.settings import (
    AccountsSettings,
    DatabaseSettings,
    EmbeddedSettings,
    EmbeddingsSettings,
    ExtractsSettings,
    FoldersSettings,
    HttpSettings,
    Settings,
    StorageSettings,
)
from lectern.worker import run_worker
from pydantic import SecretStr
from throwaway import ThrowawayDatabase, ThrowawayPostgres, throwaway_postgres

from fake_api import SERVICE_KEY
from serving import serving

DOCUMENTS = Path(__file__).parents[3] / "test-docs" / "documents"
EMAIL, PASSWORD = "admin@example.org", "correct horse battery staple"
ENVIRONMENT_KEY = "environment-key-0123456789abcdef0123456789"
PATIENCE_SECONDS = 120
EMBEDDINGS = EmbeddingsSettings(provider="hash:64")


@dataclass
class RealApi:
    """Where it listens, and what an administrator does over REST."""

    url: str
    client: httpx.AsyncClient
    settings: Settings
    ids: dict[str, str] = field(default_factory=dict[str, str])

    async def key(self, **wanted: Any) -> tuple[str, str]:
        """A new key and its id."""
        response = await self.client.post("/api/v1/keys", json={"name": "test", **wanted})
        assert response.status_code == 201, response.text
        return response.json()["key"], response.json()["api_key"]["id"]

    async def revoke(self, key_id: str) -> None:
        assert (await self.client.delete(f"/api/v1/keys/{key_id}")).status_code == 204

    async def add(self, path: Path, *, tags: tuple[str, ...]) -> None:
        response = await self.client.post(
            "/api/v1/documents",
            content=await asyncio.to_thread(path.read_bytes),
            params={"filename": path.name, "tags": list(tags)},
            headers={"Content-Type": "application/octet-stream"},
        )
        assert response.status_code == 202, response.text
        self.ids[path.name] = response.json()["items"][0]["document"]["id"]

    async def wait_until_ready(self) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                items = (await self.client.get("/api/v1/documents")).json()["items"]
                assert not [item["error"] for item in items if item["status"] == "failed"]
                if all(item["status"] == "ready" for item in items):
                    return
                await asyncio.sleep(0.1)


def _settings(database: ThrowawayDatabase, folder: Path, *, is_limited: bool) -> Settings:
    http = HttpSettings(cookie_secure=False)
    return Settings(
        database=DatabaseSettings(url=SecretStr(database.service_url)),
        embedded=EmbeddedSettings(data_dir=folder),
        storage=StorageSettings(url=(folder / "originals").as_uri()),
        http=http if is_limited else http.model_copy(update={"rate_limit_per_minute": 0}),
        embeddings=EMBEDDINGS,
        extracts=ExtractsSettings(allowed=["127.0.0.1"]),
        folders=FoldersSettings(roots=[folder]),
        accounts=AccountsSettings(
            jwt_secret_key=SecretStr("jwt-secret-of-the-tests-0123456789-abcdef"),
            backend_api_key=SecretStr(SERVICE_KEY),
            admin_email=EMAIL,
            admin_password=SecretStr(PASSWORD),
            mcp_api_key=SecretStr(ENVIRONMENT_KEY),
            password_hash_passes=1,  # a sign-in takes 0.2 s of a processor otherwise
            password_hash_kib=32,
        ),
    )


def _migrate(owner_url: str) -> None:
    update_schema(Settings(embeddings=EMBEDDINGS), owner_url)


@cache
def _start_postgres() -> ThrowawayPostgres:
    """Start the server of this test process. Each API has a database of its own there."""
    stack = ExitStack()
    atexit.register(stack.close)
    server = stack.enter_context(throwaway_postgres(is_in_memory=True))
    server.prepare_template(_migrate)
    return server


_IDLE_APPS: dict[str, list[FastAPI]] = {}


@contextmanager
def _borrow_app(settings: Settings) -> Generator[FastAPI]:
    """Return an application with these HTTP settings. Later tests reuse it, because its first requests are slow."""
    idle = _IDLE_APPS.setdefault(settings.http.model_dump_json(), [])
    app = idle.pop() if idle else create_app(settings)
    app.state.settings = settings
    yield app
    idle.append(app)


@asynccontextmanager
async def real_api(
    folder: Path, *, documents: dict[str, tuple[str, ...]], is_limited: bool = False
) -> AsyncGenerator[RealApi]:
    """`documents`: names of files in `test-docs/documents` and their tags; all of them are ready.

    With `is_limited` the rate limit of REST is the default one, else there is none.
    """
    postgres = await asyncio.to_thread(_start_postgres)
    with postgres.fresh_database() as database:
        settings = _settings(database, folder, is_limited=is_limited)
        with _borrow_app(settings) as app:
            async with serving(app) as url, httpx.AsyncClient(base_url=url, timeout=30) as client:
                who = {"email": EMAIL, "password": PASSWORD, "use_cookies": False}
                signed_in = await client.post("/api/v1/auth/sign-in", json=who)
                client.headers["Authorization"] = f"Bearer {signed_in.json()['access_token']}"
                api, stopping = RealApi(url, client, settings), asyncio.Event()
                worker = asyncio.create_task(run_worker(settings, stopping=stopping))
                for name, tags in documents.items():
                    await api.add(DOCUMENTS / name, tags=tags)
                await api.wait_until_ready()
                try:
                    yield api
                finally:
                    stopping.set()
                    await worker
