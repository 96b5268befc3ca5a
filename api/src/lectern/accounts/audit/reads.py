"""Record reads in the audit log, if LECTERN_AUDIT_READS is on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, cast

from fastapi import Request

from lectern.accounts.audit.service import record
from lectern.accounts.dependencies import CurrentPrincipal
from lectern.accounts.principals import Principal
from lectern.db.session import Database
from lectern.settings import Settings

_MAX_CHARACTERS: Final = 1_000


@dataclass(frozen=True)
class RecordedRead:
    """A dependency that records a request before the endpoint serves it, with a text of its body, and authenticates.

    The text is that of `field`, or what `read` returns. A request that cannot be recorded is not served.
    """

    action: str
    field: str | None = None
    read: Callable[[dict[str, Any]], object] | None = None

    async def __call__(self, request: Request, principal: CurrentPrincipal) -> Principal:
        settings: Settings = request.app.state.settings
        if settings.accounts.audit_reads:
            await self._record(request, principal)
        return principal

    async def _record(self, request: Request, principal: Principal) -> None:
        document_id = request.path_params.get("document_id")
        target = _storable(f"document:{document_id}") if document_id else ""
        details: dict[str, str] = {}
        if self.field:
            body = await request.json()
            members = cast("dict[str, Any]", body) if isinstance(body, dict) else {}
            text = self.read(members) if self.read else members.get(self.field)
            details = {self.field: _storable(text)} if isinstance(text, str) else {}
        database: Database = request.app.state.database
        async with database.session(principal.scope) as session:
            await record(session, principal.actor, action=self.action, target=target, details=details)


def _storable(text: str) -> str:
    """Cap a text, and remove what Postgres cannot store. The request has not been validated yet."""
    return text[:_MAX_CHARACTERS].replace("\0", "").encode("utf-8", "replace").decode()
