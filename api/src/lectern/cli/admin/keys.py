"""`lectern keys`: API keys."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, cast

import typer

from lectern.accounts.errors import ApiKeyNotFound
from lectern.accounts.keys import service
from lectern.accounts.keys.schemas import ApiKeyCreate, ApiKeyCreated, ApiKeyResponse, Toolset
from lectern.accounts.keys.service import ScopeReferences
from lectern.app import resolve_references
from lectern.cli.console import notes, results, show_json, show_table
from lectern.cli.open_installation import OPERATOR, OpenInstallation, on_installation
from lectern.cli.options import DataDir, Json
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Session

app = typer.Typer(help="API keys: each has a scope of tags, documents and collections.", no_args_is_help=True)
PAGE = 200


@app.command("create")
def create(
    name: Annotated[str, typer.Argument(help="Purpose of the key.")],
    tag: Annotated[list[str] | None, typer.Option(help="Only documents with any of these tags.")] = None,
    document: Annotated[list[str] | None, typer.Option(help="Only these documents: ids or filenames.")] = None,
    collection: Annotated[list[str] | None, typer.Option(help="Only these collections.")] = None,
    toolset: Annotated[
        list[str] | None, typer.Option(help="Toolset of the MCP service. Repeatable. Default: `search`.")
    ] = None,
    can_write: Annotated[bool, typer.Option("--write", help="Allow writing: uploads, changes and deletions.")] = False,
    days: Annotated[int | None, typer.Option(min=1, help="Expire after this many days.")] = None,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Create an API key and print it once."""
    asked = ApiKeyCreate(name=name, can_write=can_write, toolsets=cast("list[Toolset]", toolset or ["search"]))

    async def work(bench: OpenInstallation) -> ApiKeyCreated:
        async with bench.database.session(SYSTEM_SCOPE) as session:
            references = ScopeReferences(tags=tag or None, documents=document or None, collections=collection or None)
            ids = await resolve_references(session, references)
            wanted = service.NewKey(
                name=asked.name,
                can_write=asked.can_write,
                toolsets=asked.toolsets,
                tag_ids=ids.tags,
                document_ids=ids.documents,
                collection_ids=ids.collections,
                expires_at=datetime.now(UTC) + timedelta(days=days) if days else None,
            )
            return await service.create_key(session, actor=OPERATOR.actor, created_by=None, wanted=wanted)

    made = on_installation(work, data_dir=data_dir)
    if is_json:
        show_json(made.model_dump(mode="json"))
    else:
        results.print(made.key, markup=False)
        notes.print("Copy the key now: Lectern stores only its hash.", markup=False)


@app.command("list")
def list_keys(data_dir: DataDir = None, is_json: Json = False) -> None:
    """List all keys, newest first."""

    async def work(bench: OpenInstallation) -> list[ApiKeyResponse]:
        async with bench.database.session(SYSTEM_SCOPE) as session:
            return await _all_keys(session)

    keys = on_installation(work, data_dir=data_dir)
    if is_json:
        show_json([key.model_dump(mode="json") for key in keys])
        return
    show_table(("prefix", "name", "may", "state", "last used"), [_row(key) for key in keys])


@app.command("revoke")
def revoke(
    key: Annotated[str, typer.Argument(help="Id, prefix or name of the key.")],
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Revoke a key at once."""

    async def work(bench: OpenInstallation) -> ApiKeyResponse:
        async with bench.database.session(SYSTEM_SCOPE) as session:
            found = [row for row in await _all_keys(session) if key in {str(row.id), row.prefix, row.name}]
            if len(found) != 1:
                raise ApiKeyNotFound(f"{len(found) or 'No'} keys match {key!r}.", hint="Run `lectern keys list`.")
            await service.revoke_key(session, OPERATOR, found[0].id)
            return found[0]

    ended = on_installation(work, data_dir=data_dir)
    if is_json:
        show_json({"id": ended.id, "prefix": ended.prefix})
    else:
        results.print(f"{ended.prefix} ({ended.name}) has been revoked.", markup=False)


async def _all_keys(session: Session) -> list[ApiKeyResponse]:
    found: list[ApiKeyResponse] = []
    cursor: str | None = None
    while True:
        page = await service.list_keys(session, OPERATOR, cursor=cursor, limit=PAGE)
        found += page.items
        cursor = page.next_cursor
        if cursor is None:
            return found


def _row(key: ApiKeyResponse) -> tuple[str, ...]:
    limits = {"tags": key.tag_ids, "documents": key.document_ids, "collections": key.collection_ids}
    narrowed = ", ".join(f"{len(cast('list[object]', ids))} {what}" for what, ids in limits.items() if ids is not None)
    allowed = ("write" if key.can_write else "read") + (f" {narrowed}" if narrowed else " everything")
    last_used = f"{key.last_used_at:%Y-%m-%d %H:%M}" if key.last_used_at else "never"
    return key.prefix, key.name, allowed, _state(key), last_used


def _state(key: ApiKeyResponse) -> str:
    if key.revoked_at is not None:
        return "revoked"
    if key.expires_at is not None:
        return "expired" if key.expires_at <= datetime.now(UTC) else f"until {key.expires_at:%Y-%m-%d}"
    return "valid"
