"""How the dense arm is run (pure): compare everything in scope, or walk the HNSW index.

Measured on 100,000 chunks: a filter that leaves 1 % costs the index most of its recall (.09) or 20 ms, an exact scan of
what it leaves takes 0.9 ms. So the service counts first and chooses.
"""

from typing import Final

from lectern.search.statement import Shape

WINDOWS_PER_CHUNK: Final = 3  # a chunk of 800 tokens in windows of a model of 512

# Settings of Postgres, as SQL, under which the index is walked far enough, filters included; that of more than 100,000
# chunks more broadly, with the square root of how many they are (docs/adr/0097). Without a sequential scan the planner
# is left with the index, which it otherwise deserts for a plan that sorts every embedding.
INDEX_SETTINGS: Final = {
    "hnsw.ef_search": "round(least(1000, :ef_search * greatest(1, sqrt(library_chunks / 100000.0))))::text",
    "hnsw.iterative_scan": "'relaxed_order'",
    "enable_seqscan": "'off'",
    "enable_bitmapscan": "'off'",
}


def dense_shape(*, chunks: int, exact_chunks: int) -> Shape:
    """EXACT for a scope of at most `exact_chunks`, INDEX above."""
    return Shape.EXACT if chunks <= exact_chunks else Shape.INDEX
