"""Add the chunks around a hit, and fold adjacent hits into one."""

from collections.abc import Sequence

from lectern.db.session import Session
from lectern.search import repository
from lectern.search.schemas import Hit, Neighbour


async def add_neighbours(session: Session, hits: Sequence[Hit], *, count: int) -> list[Hit]:
    """Add up to `count` chunks before and after each hit."""
    positions = {(hit.document_id, index) for hit in hits for index in [*_before(hit, count), *_after(hit, count)]}
    near = await repository.list_neighbours(session, positions)
    return [
        hit.model_copy(
            update={
                name: [near[key] for index in around(hit, count) if (key := (hit.document_id, index)) in near]
                for name, around in (("before", _before), ("after", _after))
            }
        )
        for hit in hits
    ]


def fold_hits(hits: Sequence[Hit]) -> list[Hit]:
    """Move hits that are adjacent to a better one of their document into its `before` and `after`."""
    folded: list[Hit] = []
    for hit in hits:
        place = next((place for place, better in enumerate(folded) if _are_adjacent(better, hit)), None)
        if place is None:
            folded.append(hit)
        else:
            folded[place] = _join(folded[place], hit)
    return folded


def _are_adjacent(better: Hit, hit: Hit) -> bool:
    first = better.before[0].chunk_index if better.before else better.chunk_index
    last = better.after[-1].chunk_index if better.after else better.chunk_index
    return better.document_id == hit.document_id and first - 1 <= hit.chunk_index <= last + 1


def _join(better: Hit, hit: Hit) -> Hit:
    """Add a hit and its neighbours to the neighbours of a better one."""
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
