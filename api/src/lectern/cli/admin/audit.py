"""`lectern audit`: the audit log."""

import sys
from datetime import UTC, datetime
from typing import Annotated

import typer

from lectern.accounts.audit.service import export_events, record
from lectern.accounts.schemas import AuditFilter
from lectern.cli.open_installation import OPERATOR, OpenInstallation, on_installation
from lectern.cli.options import DataDir
from lectern.db.scope import SYSTEM_SCOPE
from lectern.errors import InvalidRequest

app = typer.Typer(help="The audit log.", no_args_is_help=True)


def parse_time(text: str) -> datetime:
    """Return a time, which is UTC unless it says otherwise. Raises InvalidRequest."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidRequest(f"{text!r} is not a time.", hint="Write 2026-11-30 or 2026-11-30T18:00:00.") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@app.callback()
def audit() -> None:
    """Keep `export` a command of a group."""


@app.command("export")
def export(
    since: Annotated[
        datetime | None,
        typer.Option(parser=parse_time, metavar="<time>", help="Only events at this UTC time or later."),
    ] = None,
    until: Annotated[
        datetime | None, typer.Option(parser=parse_time, metavar="<time>", help="Only events before this UTC time.")
    ] = None,
    action: Annotated[str | None, typer.Option(help="Only events of this kind, such as document.upload.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Print audit events as lines of JSON, oldest first."""
    wanted = AuditFilter(action=action, since=since, until=until)

    async def work(bench: OpenInstallation) -> None:
        async with bench.database.session(SYSTEM_SCOPE) as session:
            details = wanted.model_dump(mode="json", exclude_none=True)
            await record(session, OPERATOR.actor, action="audit.export", details=details)
        async for lines in export_events(bench.database, wanted):
            sys.stdout.write(lines)

    on_installation(work, data_dir=data_dir)
