"""The few statements of a scoped transaction that must see what its principal does not."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

from lectern.db.scope import Scope
from lectern.db.session import Session, enter_scope


@asynccontextmanager
async def elevated(session: Session, scope: Scope) -> AsyncGenerator[None]:
    """Inside, the transaction sees everything; afterwards what `scope` allows. An error must end it."""
    if scope.is_unrestricted:
        yield
        return
    await enter_scope(session, replace(scope, is_unrestricted=True))
    yield
    await enter_scope(session, scope)
