"""`lectern keys`: API keys."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, cast

import typer

from lectern.accounts.keys import service
from lectern.accounts.keys.schemas import ApiKeyCreate, ApiKeyCreated, ApiKeyResponse, ApiKeyRotate, ApiKeyUpdate
from lectern.accounts.toolsets import OPERATIONS
from lectern.app import resolve_references
from lectern.cli.console import notes, results, show, show_json, show_table
from lectern.cli.installation import data_folder
from lectern.cli.open_installation import OPERATOR, OpenInstallation, on_installation, on_session
from lectern.cli.options import DataDir, Json
from lectern.cli.services.create_secrets import replace_generated_key
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Session
from lectern.embedded.errors import DataFolderUnusable
from lectern.embedded.secrets import load_or_create, save
from lectern.errors import InvalidRequest, Misconfigured
from lectern.settings import load_settings, process_environment
from lectern.settings.secret_files import FILE_SUFFIX, generated_file

app = typer.Typer(help="API keys: each has a scope of tags, documents and collections.", no_args_is_help=True)
MAX_KEYS = 1_000_000


@app.command("create")
def create(
    name: Annotated[str, typer.Argument(help="Purpose of the key.")],
    tag: Annotated[list[str] | None, typer.Option(help="Only documents with any of these tags. Repeatable.")] = None,
    document: Annotated[
        list[str] | None, typer.Option(help="Only these documents: ids or filenames. Repeatable.")
    ] = None,
    collection: Annotated[list[str] | None, typer.Option(help="Only these collections. Repeatable.")] = None,
    toolset: Annotated[
        list[str] | None,
        typer.Option(
            help=f"What the key may do: {', '.join(OPERATIONS)}. Repeatable. Default: search, and library with --write."
        ),
    ] = None,
    network: Annotated[
        list[str] | None, typer.Option(help="The key works from this network only, such as 10.0.0.0/8. Repeatable.")
    ] = None,
    can_write: Annotated[bool, typer.Option("--write", help="Allow writing: uploads, changes and deletions.")] = False,
    days: Annotated[int | None, typer.Option(min=1, help="Expire after this many days. Default: never.")] = None,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Create an API key and print it once."""
    lists = {
        "toolsets": toolset,
        "allowed_networks": network,
        "tags": tag,
        "documents": document,
        "collections": collection,
    }
    given = {"name": name, "can_write": can_write, "expires_at": _in_days(days)}
    body = ApiKeyCreate.model_validate(given | {field: values for field, values in lists.items() if values})

    async def work(bench: OpenInstallation) -> ApiKeyCreated:
        wanted = await service.prepare_key(bench.database, OPERATOR, body, resolve=resolve_references)
        max_days = bench.settings.accounts.key_max_days
        async with bench.database.session(SYSTEM_SCOPE) as session:
            return await service.create_key(session, OPERATOR, wanted=wanted, max_days=max_days)

    _show_secret(on_installation(work, data_dir=data_dir), is_json=is_json)


@app.command("list")
def list_keys(data_dir: DataDir = None, is_json: Json = False) -> None:
    """List all keys, newest first."""
    keys = on_session(lambda session, _: _all_keys(session), data_dir=data_dir)
    if is_json:
        show_json(keys)
        return
    titles = ("prefix", "name", "may", "toolsets", "from", "state", "last used")
    show_table(titles, [_row(key) for key in keys], empty="There is no API key. Add one: `lectern keys create NAME`.")


@app.command("tools")
def list_tools(is_json: Json = False) -> None:
    """List what each toolset permits: tools of the MCP service and operations of the REST API."""
    policy = service.describe_policy(max_days=0)
    if is_json:
        show_json(policy.toolsets)
        return
    for toolset in policy.toolsets:
        results.print(f"{toolset.name}", style="bold")
        results.print(f"  MCP   {', '.join(toolset.tools)}", markup=False)
        results.print(f"  REST  {', '.join(toolset.operations)}", markup=False)


@app.command("change")
def change(
    key: Annotated[str, typer.Argument(help="Id, prefix or name of the key.")],
    toolset: Annotated[list[str] | None, typer.Option(help="Replace the toolsets. Repeatable.")] = None,
    network: Annotated[
        list[str] | None, typer.Option(help="Replace the networks. Repeatable. 0.0.0.0/0 and ::/0: everywhere.")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Change the toolsets or networks of a key."""
    if not (toolset or network):
        raise InvalidRequest("Nothing to change.", hint="Give --toolset or --network.")
    given = {"toolsets": toolset, "allowed_networks": network}
    wanted = ApiKeyUpdate.model_validate({name: value for name, value in given.items() if value})

    async def work(session: Session, _: OpenInstallation) -> ApiKeyResponse:
        row = await service.get_named_key(session, key)
        return await service.update_key(session, OPERATOR, row.id, wanted=wanted)

    changed = on_session(work, data_dir=data_dir)
    networks = ", ".join(changed.allowed_networks or ["everywhere"])
    results.print(f"{changed.prefix} ({changed.name}): {', '.join(changed.toolsets)}, from {networks}.", markup=False)


@app.command("rotate")
def rotate(
    key: Annotated[str, typer.Argument(help="Id, prefix or name of the key.")],
    overlap_hours: Annotated[int, typer.Option(min=0, max=720, help="Hours that the old secret still works.")] = 24,
    days: Annotated[int | None, typer.Option(min=1, help="Expire after this many days. Default: as before.")] = None,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Give a key a new secret and print it once."""

    async def work(session: Session, bench: OpenInstallation) -> ApiKeyCreated:
        wanted = ApiKeyRotate(overlap_hours=overlap_hours, expires_at=_in_days(days))
        max_days = bench.settings.accounts.key_max_days
        row = await service.get_named_key(session, key)
        return await service.rotate_key(session, OPERATOR, row.id, wanted=wanted, max_days=max_days)

    _show_secret(on_session(work, data_dir=data_dir), is_json=is_json)


@app.command("revoke")
def revoke(
    key: Annotated[str, typer.Argument(help="Id, prefix or name of the key.")],
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Revoke a key at once."""

    async def work(session: Session, _: OpenInstallation) -> ApiKeyResponse:
        row = await service.get_named_key(session, key)
        await service.revoke_key(session, OPERATOR, row.id)
        return ApiKeyResponse.model_validate(row)

    ended = on_session(work, data_dir=data_dir)
    value = {"id": ended.id, "prefix": ended.prefix}
    show(value, f"{ended.prefix} ({ended.name}) has been revoked.", is_json=is_json)


def _in_days(days: int | None) -> datetime | None:
    return datetime.now(UTC) + timedelta(days=days) if days else None


def _show_secret(made: ApiKeyCreated, *, is_json: bool) -> None:
    if is_json:
        show_json(made)
        return
    results.print(made.key, markup=False)
    notes.print("Copy the key now: Lectern stores only its hash.", markup=False)
    if (until := made.api_key.previous_expires_at) is not None:
        is_over = until <= datetime.now(UTC)
        notes.print(
            "The old secret no longer works." if is_over else f"The old secret works until {until:%Y-%m-%d %H:%M} UTC."
        )


async def _all_keys(session: Session) -> list[ApiKeyResponse]:
    return (await service.list_keys(session, OPERATOR, cursor=None, limit=MAX_KEYS)).items


def _row(key: ApiKeyResponse) -> tuple[str, ...]:
    limits = {"tags": key.tag_ids, "documents": key.document_ids, "collections": key.collection_ids}
    counts = {what: len(cast("list[object]", ids)) for what, ids in limits.items() if ids is not None}
    narrowed = ", ".join(f"{count} {what.removesuffix('s') if count == 1 else what}" for what, count in counts.items())
    allowed = ("write" if key.can_write else "read") + (f" {narrowed}" if narrowed else " everything")
    last_used = f"{key.last_used_at:%Y-%m-%d %H:%M}" if key.last_used_at else "never"
    networks = ", ".join(key.allowed_networks or ["everywhere"])
    return key.prefix, key.name, allowed, ", ".join(key.toolsets), networks, _state(key), last_used


def _state(key: ApiKeyResponse) -> str:
    if key.revoked_at is not None:
        return "revoked"
    now, state = datetime.now(UTC), "valid"
    if key.expires_at is not None:
        state = "expired" if key.expires_at <= now else f"until {key.expires_at:%Y-%m-%d}"
    is_overlapping = key.previous_expires_at is not None and key.previous_expires_at > now
    return f"{state}, {key.previous_prefix} until {key.previous_expires_at:%Y-%m-%d %H:%M}" if is_overlapping else state


@app.command("rotate-signing")
def rotate_signing(data_dir: DataDir = None, is_json: Json = False) -> None:
    """Create a new key that signs sessions. The previous one stays valid until its tokens have expired."""
    settings = load_settings()
    now = datetime.now(UTC)
    generated = generated_file("JWT_SECRET_KEY")
    if generated is not None and not _is_given():
        replace_generated_key(generated)
    elif settings.accounts.jwt_secret_key is not None:
        raise Misconfigured(
            "JWT_SECRET_KEY is set, so this command cannot change the key.",
            hint="Set JWT_SECRET_KEY=NEW,OLD with a new random value first, and restart.",
        )
    else:
        path = data_folder(settings, data_dir).secrets
        if not path.exists():
            raise DataFolderUnusable(f"{path} does not exist.", hint="Name your data folder with --data-dir.")
        save(path, load_or_create(path)[0].with_new_signing_key(now))
    expires_at = now + timedelta(days=settings.accounts.refresh_token_days)
    text = f"Restart Lectern to use the new key. The previous one is valid until {expires_at:%Y-%m-%d}."
    show({"previous_key_expires_at": expires_at.isoformat()}, text, is_json=is_json)


def _is_given() -> bool:
    values = {name.upper(): value for name, value in process_environment().items()}
    return bool(values.get("JWT_SECRET_KEY") or values.get("JWT_SECRET_KEY" + FILE_SUFFIX))
