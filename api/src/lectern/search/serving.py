"""What a principal's search is answered by: a response that is kept, the replica of the database, or the database.

All three give the same. The database says by its mark which library is the true one; a replica that does not see that
one (it lags, or is ahead of what was asked a moment before) is passed over.
"""

from typing import TYPE_CHECKING

from lectern.db.replica import Replica
from lectern.db.scope import Scope
from lectern.search.candidates import repository
from lectern.search.result_cache import given_again
from lectern.search.schemas import SearchRequest, SearchResponse
from lectern.search.stopwatch import Stopwatch

if TYPE_CHECKING:
    from lectern.search.service import SearchEngine


async def serve(engine: "SearchEngine", request: SearchRequest, scope: Scope) -> SearchResponse:
    """Raises what a search raises."""
    if engine.replica is not None and not engine.replica.is_unavailable:
        response = await _by_replica(engine, engine.replica, request, scope)
        if response is not None:
            return response
    async with engine.open(request, scope) as opened:
        response = _given_again(engine, request, scope, mark=opened.mark, clock=opened.clock)
        if response is not None:
            return response
        response = await engine.respond(opened)
    return _kept(engine, request, scope, response, mark=opened.mark)


async def _by_replica(
    engine: "SearchEngine", replica: Replica, request: SearchRequest, scope: Scope
) -> SearchResponse | None:
    """None where the replica does not see the library that the database has, or is not there."""
    clock = Stopwatch()
    async with engine.database.session(scope, prelude_sql=repository.LIBRARY_MARK) as session:
        mark = repository.library_mark(session)
    response = _given_again(engine, request, scope, mark=mark, clock=clock)
    if response is not None:
        return response

    async def search() -> SearchResponse | None:
        async with engine.open(request, scope, database=replica.database) as opened:
            return await engine.respond(opened) if opened.mark == mark else None

    response = await replica.read(search)
    if response is None:
        return None
    strategy = response.metadata.strategy.model_copy(update={"is_replica": True})
    metadata = response.metadata.model_copy(update={"strategy": strategy})
    return _kept(engine, request, scope, response.model_copy(update={"metadata": metadata}), mark=mark)


def _given_again(
    engine: "SearchEngine", request: SearchRequest, scope: Scope, *, mark: int, clock: Stopwatch
) -> SearchResponse | None:
    response = engine.kept.find(mark, request, scope) if engine.kept is not None else None
    if response is None:
        return None
    clock.lap("kept")
    return given_again(response, milliseconds=clock.laps["total"])


def _kept(
    engine: "SearchEngine", request: SearchRequest, scope: Scope, response: SearchResponse, *, mark: int
) -> SearchResponse:
    if engine.kept is not None:
        engine.kept.keep(mark, request, scope, response)
    return response
