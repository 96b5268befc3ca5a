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

app = typer.Typer(help="The audit log.", no_args_is_help=True)
_FORMATS = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]


@app.callback()
def audit() -> None:
    """Keep `export` a command of a group."""


@app.command("export")
def export(
    since: Annotated[
        datetime | None, typer.Option(formats=_FORMATS, help="Only events at this UTC time or later.")
    ] = None,
    until: Annotated[datetime | None, typer.Option(formats=_FORMATS, help="Only events before this UTC time.")] = None,
    action: Annotated[str | None, typer.Option(help="Only events of this kind, such as document.upload.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Print audit events as lines of JSON, oldest first."""
    wanted = AuditFilter(action=action, since=_utc(since), until=_utc(until))

    async def work(bench: OpenInstallation) -> None:
        async with bench.database.session(SYSTEM_SCOPE) as session:
            details = wanted.model_dump(mode="json", exclude_none=True)
            await record(session, OPERATOR.actor, action="audit.export", details=details)
        async for lines in export_events(bench.database, wanted):
            sys.stdout.write(lines)

    on_installation(work, data_dir=data_dir)


def _utc(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment else None
