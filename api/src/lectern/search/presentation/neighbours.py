"""The passages around a hit, for readers who need more than the passage itself."""

from collections.abc import Sequence

from lectern.db.session import Session
from lectern.search.candidates import repository
from lectern.search.schemas import Hit, Neighbour


async def with_neighbours(session: Session, hits: Sequence[Hit], *, count: int) -> list[Hit]:
    """The hits with up to `count` passages before and after each; fewer where the document begins or ends."""
    if not count:
        return list(hits)
    places = {(hit.document_id, place) for hit in hits for place in [*_before(hit, count), *_after(hit, count)]}
    near = await repository.list_neighbours(session, places)
    return [
        hit.model_copy(
            update={
                name: [near[key] for place in around(hit, count) if (key := (hit.document_id, place)) in near]
                for name, around in (("before", _before), ("after", _after))
            }
        )
        for hit in hits
    ]


def folded(hits: Sequence[Hit]) -> list[Hit]:
    """Without the hits that stand next to a better one of their document: these come before or after it, as its own.

    So passages that follow each other are read as one, and may come back as fewer hits than were asked for.
    """
    kept: list[Hit] = []
    for hit in hits:
        place = next((place for place, better in enumerate(kept) if _touches(better, hit)), None)
        if place is None:
            kept.append(hit)
        else:
            kept[place] = _joined(kept[place], hit)
    return kept


def _touches(better: Hit, hit: Hit) -> bool:
    first = better.before[0].chunk_index if better.before else better.chunk_index
    last = better.after[-1].chunk_index if better.after else better.chunk_index
    return better.document_id == hit.document_id and first - 1 <= hit.chunk_index <= last + 1


def _joined(better: Hit, hit: Hit) -> Hit:
    """With the hit, and the context that was asked for around it, among the passages around the better one."""
    around = [*better.before, *better.after, *hit.before, Neighbour.model_validate(hit), *hit.after]
    by_index = {near.chunk_index: near for near in around if near.chunk_index != better.chunk_index}
    ordered = [by_index[index] for index in sorted(by_index)]
    return better.model_copy(
        update={
            "before": [near for near in ordered if near.chunk_index < better.chunk_index],
            "after": [near for near in ordered if near.chunk_index > better.chunk_index],
        }
    )


def _before(hit: Hit, count: int) -> range:
    return range(hit.chunk_index - count, hit.chunk_index)


def _after(hit: Hit, count: int) -> range:
    return range(hit.chunk_index + 1, hit.chunk_index + count + 1)
