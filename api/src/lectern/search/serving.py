"""What a principal's search is answered by: a response that is kept, the replica of the database, or the database.

All three give the same. The database says by its mark which library is the true one; a replica that does not see that
one (it lags, or is ahead of what was asked a moment before) is passed over.
"""

from typing import TYPE_CHECKING

from lectern.db.replica import Replica
from lectern.db.scope import Scope
from lectern.search.candidates import repository
from lectern.search.result_cache import as_cached
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
        response = _given_again(engine, request, scope, library_version=opened.library_version, clock=opened.clock)
        if response is not None:
            return response
        response = await engine.respond(opened)
    return _kept(engine, request, scope, response, library_version=opened.library_version)


async def _by_replica(
    engine: "SearchEngine", replica: Replica, request: SearchRequest, scope: Scope
) -> SearchResponse | None:
    """None where the replica does not see the library that the database has, or is not there."""
    clock = Stopwatch()
    async with engine.database.session(scope, prelude_sql=repository.LIBRARY_VERSION_SQL) as session:
        library_version = repository.read_library_version(session)
    response = _given_again(engine, request, scope, library_version=library_version, clock=clock)
    if response is not None:
        return response

    async def search() -> SearchResponse | None:
        async with engine.open(request, scope, database=replica.database) as opened:
            return await engine.respond(opened) if opened.library_version == library_version else None

    response = await replica.read(search)
    if response is None:
        return None
    strategy = response.metadata.strategy.model_copy(update={"is_replica": True})
    metadata = response.metadata.model_copy(update={"strategy": strategy})
    return _kept(
        engine, request, scope, response.model_copy(update={"metadata": metadata}), library_version=library_version
    )


def _given_again(
    engine: "SearchEngine", request: SearchRequest, scope: Scope, *, library_version: int, clock: Stopwatch
) -> SearchResponse | None:
    response = engine.cache.get(library_version, request, scope) if engine.cache is not None else None
    if response is None:
        return None
    clock.lap("kept")
    return as_cached(response, milliseconds=clock.laps["total"])


def _kept(
    engine: "SearchEngine", request: SearchRequest, scope: Scope, response: SearchResponse, *, library_version: int
) -> SearchResponse:
    if engine.cache is not None:
        engine.cache.put(library_version, request, scope, response)
    return response
