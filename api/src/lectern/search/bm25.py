"""The arithmetic of BM25 (pure). The term weights themselves are made in SQL (`lectern_build_lexical_entry`, ADR 0002).

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; idf as Lucene has it.
"""

import math
from typing import Final

K1: Final = 1.2
B: Final = 0.75
AVERAGE_LENGTH: Final = 180.0  # terms of a usual chunk (measured: 143 to 237); frozen, so no vector is ever rewritten
MAX_WEIGHT: Final = K1 + 1  # what the weight of a term tends to as it is repeated


def inverse_document_frequency(chunk_count: int, *, total: int) -> float:
    """ln(1 + (N - n + 0.5) / (n + 0.5)): what a term says that occurs in n of N chunks; never negative."""
    return math.log1p((max(total, chunk_count) - chunk_count + 0.5) / (chunk_count + 0.5))


def term_weight(frequency: float, *, length: float) -> float:
    """The weight of a term that occurs `frequency` times in a chunk of `length` words (not figures); 0 to 2.2."""
    return frequency * MAX_WEIGHT / (frequency + K1 * (1 - B + B * length / AVERAGE_LENGTH))
