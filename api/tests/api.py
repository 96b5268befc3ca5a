"""The whole API on a database of the test's own, and people and keys that use it."""

import json
import uuid
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
from benchmarks.throwaway import ThrowawayDatabase
from fastapi import FastAPI
from pydantic import SecretStr
from sqlalchemy import CursorResult, text

from lectern.accounts.context import Accounts
from lectern.accounts.tokens import TokenClaims, hash_token
from lectern.app import create_app
from lectern.db.engine import libpq_url
from lectern.db.scope import SYSTEM_ROLE, SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.settings import (
    AccountsSettings,
    DatabaseSettings,
    DocumentsSettings,
    EmbeddedSettings,
    EmbeddingsSettings,
    HttpSettings,
    Settings,
    StorageSettings,
)

ADMIN_EMAIL = "admin@example.org"
ADMIN_PASSWORD = "correct horse battery staple"
SERVICE_KEY = "service-key-of-the-tests-0123456789"
# Of a password that nobody knows, made with the least effort.
NO_PASSWORD = "$argon2id$v=19$m=8,t=1,p=1$L6XUWqv1HgMAAIBwLoWQUg$d+mhHGZmheEFhHkTfn0aS8qk+0a3zKYoAOHJXmF2MP0"
# A sign-in takes 0.2 s of a processor otherwise.
CHEAP_HASHES = {"password_hash_passes": 1, "password_hash_kib": 32}
LIBRARY = uuid.UUID("00000000-0000-4000-8000-000000000001")
_OPENAPI = Path(__file__).parents[1] / "openapi.json"


def read_openapi() -> dict[str, Any]:
    """Return the committed OpenAPI document. To build it takes seconds, and a test keeps it current."""
    return json.loads(_OPENAPI.read_text(encoding="utf-8"))


def api_settings(database: ThrowawayDatabase, folder: Path, **changes: Any) -> Settings:
    """Settings of a separate API. `changes`: `http`, `accounts`, `documents` as mappings."""
    http: dict[str, Any] = {"cookie_secure": False, "rate_limit_per_minute": 0}
    accounts: dict[str, Any] = {
        "jwt_secret_key": SecretStr("jwt-secret-of-the-tests-0123456789-abcdef"),
        "backend_api_key": SecretStr(SERVICE_KEY),
        "admin_email": ADMIN_EMAIL,
        "admin_password": SecretStr(ADMIN_PASSWORD),
        "mcp_api_key": None,
        **CHEAP_HASHES,
    }
    return Settings(
        database=DatabaseSettings(url=SecretStr(database.service_url), pool_size=8),
        embedded=EmbeddedSettings(data_dir=folder),
        storage=StorageSettings(url=(folder / "store").as_uri()),
        http=HttpSettings(**http | changes.get("http", {})),
        embeddings=EmbeddingsSettings(provider="hash:32"),
        documents=DocumentsSettings(**changes.get("documents", {})),
        accounts=AccountsSettings(**accounts | changes.get("accounts", {})),
    )


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who signed in; the access token is good for an hour."""

    id: uuid.UUID
    session_id: uuid.UUID
    token: str = field(repr=False)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


class Api:
    """A running application and a client of it."""

    def __init__(self, app: FastAPI, client: httpx.AsyncClient) -> None:
        self.app = app
        self.client = client

    @property
    def database(self) -> Database:
        return self.app.state.database

    @property
    def accounts(self) -> Accounts:
        return self.app.state.accounts

    async def sql(self, statement: str, **values: Any) -> list[Any]:
        """Rows of a statement that sees everything."""
        async with self.database.session(SYSTEM_SCOPE) as session:
            result = await session.execute(text(statement), values)
            return list(result.all()) if isinstance(result, CursorResult) and result.returns_rows else []

    async def person(self, role: str = "editor") -> Person:
        """A new user who is signed in (without the time that hashing takes)."""
        claims = TokenClaims(user_id=uuid.uuid4(), session_id=uuid.uuid4())
        await self.sql(
            "INSERT INTO users (id, email, password_hash, role) VALUES (:id, :email, :hash, :role)",
            id=claims.user_id,
            hash=NO_PASSWORD,
            email=f"{claims.user_id}@example.org",
            role=role,
        )
        await self.sql(
            "INSERT INTO sessions (id, user_id, refresh_hash, expires_at) VALUES (:id, :user, :hash, :at)",
            id=claims.session_id,
            user=claims.user_id,
            hash=hash_token(str(claims.session_id)),
            at=datetime.now(UTC) + timedelta(days=1),
        )
        now = datetime.now(UTC)
        token = self.accounts.tokens.sign(claims, audience="lectern:access", now=now, life=timedelta(hours=1))
        return Person(claims.user_id, claims.session_id, token)

    async def key(self, maker: Person, **wanted: Any) -> dict[str, str]:
        """Headers of a new API key."""
        response = await self.client.post("/api/v1/keys", json={"name": "k", **wanted}, headers=maker.headers)
        assert response.status_code == 201, response.text
        return {"Authorization": f"Bearer {response.json()['key']}"}

    async def collection(self, admin: Person, name: str, *, is_open: bool = True) -> str:
        """The id of a new collection."""
        body = {"name": name, "is_open": is_open}
        response = await self.client.post("/api/v1/collections", json=body, headers=admin.headers)
        assert response.status_code == 201, response.text
        return response.json()["id"]

    async def upload(
        self,
        headers: dict[str, str],
        content: bytes = b"Some text.",
        *,
        filename: str = "note.txt",
        tags: Sequence[str] = (),
        **parameters: str,
    ) -> dict[str, Any]:
        """The result of uploading one file as the body."""
        response = await self.client.post(
            "/api/v1/documents",
            content=content,
            params={"filename": filename, "tags": list(tags), **parameters},
            headers={**headers, "Content-Type": "application/octet-stream"},
        )
        assert response.status_code == 202, response.text
        return response.json()["items"][0]


def _add_somebody(settings: Settings) -> None:
    """With a user in the database, the first administrator's password need not be hashed, which takes its time."""
    assert settings.database.url is not None
    # An engine would take four times as long: it compiles its statements anew.
    with psycopg.connect(libpq_url(settings.database.url.get_secret_value()), autocommit=True) as connection:
        connection.execute(
            f"SET ROLE {SYSTEM_ROLE}; INSERT INTO users (id, email, password_hash, role)"
            " VALUES (gen_random_uuid(), 'root@example.org', 'none', 'admin')"
        )


@asynccontextmanager
async def open_api(settings: Settings, *, is_new: bool = False) -> AsyncGenerator[Api]:
    """The application, started and stopped as a server does it; `is_new` starts it as on the first day."""
    if not is_new:
        _add_somebody(settings)
    with _borrow_app(settings) as app:
        transport = httpx.ASGITransport(app, raise_app_exceptions=True)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://lectern.test") as client,
        ):
            yield Api(app, client)


_IDLE_APPS: dict[str, list[FastAPI]] = {}


@contextmanager
def _borrow_app(settings: Settings) -> Generator[FastAPI]:
    """Return an application with these HTTP settings. Later tests reuse it, because its first request is slow.

    Other settings take effect whenever it starts. An application with changed routes is not reused.
    """
    idle = _IDLE_APPS.setdefault(settings.http.model_dump_json(), [])
    app = idle.pop() if idle else create_app(settings)
    app.state.settings = settings
    routes = list(app.router.routes)
    yield app
    if app.router.routes == routes:
        idle.append(app)
