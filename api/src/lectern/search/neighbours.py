"""The passages around a hit, for readers who need more than the passage itself."""

from collections.abc import Sequence

from lectern.db.session import Session
from lectern.search import repository
from lectern.search.schemas import Hit, Neighbour


async def with_neighbours(session: Session, hits: Sequence[Hit], *, count: int) -> list[Hit]:
    """The hits with up to `count` passages before and after each; fewer where the document begins or ends."""
    if not count:
        return list(hits)
    places = {(hit.document_id, place) for hit in hits for place in [*_before(hit, count), *_after(hit, count)]}
    found = await repository.list_neighbours(session, places)
    near = {place: Neighbour.model_validate(chunk) for place, chunk in found.items()}
    return [
        hit.model_copy(
            update={
                name: [near[key] for place in around(hit, count) if (key := (hit.document_id, place)) in near]
                for name, around in (("before", _before), ("after", _after))
            }
        )
        for hit in hits
    ]


def _before(hit: Hit, count: int) -> range:
    return range(hit.chunk_index - count, hit.chunk_index)


def _after(hit: Hit, count: int) -> range:
    return range(hit.chunk_index + 1, hit.chunk_index + count + 1)
