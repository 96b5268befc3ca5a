"""The chunks that the arms found, with what the ranker reads of them."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class SearchCandidate(NamedTuple):
    """A chunk with its ranks in the arms, and its distance and keyword score, which do not depend on an arm.

    The fields are the columns of the hybrid statement. A search reads some 200, and the driver builds tuples fastest.
    `matched_terms` and `matched_title_terms` are numbers from 1: of the terms of the query in the chunk, and of the
    terms and periods of the query in the title of the document.
    """

    semantic_rank: int | None
    keyword_rank: int | None
    is_referenced: bool
    chunk_id: uuid.UUID
    document_id: uuid.UUID
    distance: float | None
    keyword_score: float | None
    language: str
    heading: str
    matched_terms: Sequence[int]
    matched_title_terms: Sequence[int]


@dataclass(frozen=True, slots=True)
class ArmRanks:
    """The ranks of a chunk in the arms, from 1."""

    chunk_id: uuid.UUID
    semantic_rank: int | None
    keyword_rank: int | None
