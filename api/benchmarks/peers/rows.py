"""What is measured of each system, and the table."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import Final

from lectern.evaluation.metrics import recall_at
from lectern.evaluation.relevance import Retrieved, judge_relevance
from lectern.evaluation.sets import LabelledQuestion

DEPTHS: Final = (1, 5, 20)


@dataclass(frozen=True, slots=True)
class RetrievedPages:
    """The pages of a chunk of a peer."""

    document: str
    page_number: int
    last_page_number: int
    char_start: int = 0
    char_end: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What came back for a question, in its own document and from the whole library."""

    question: LabelledQuestion
    narrowed: Sequence[Retrieved]
    whole: Sequence[Retrieved]
    whole_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A system on a set. `ingestion_seconds` is without the model; `embedded` says how many texts it had to read."""

    name: str
    asked: Sequence[Asked]
    pages: int
    ingestion_seconds: float
    embedded: int
    process_mib: float


HEADER: Final = (
    "| | in the document @1 @5 @20 | whole library @1 @5 @20 | right document first | pages a hit covers |"
    " search p50, ms | ingestion, pages/s | texts embedded | process, MiB | Postgres, MiB |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)


def line(row: Row, *, postgres_mib: float = 0) -> str:
    """A line of the table."""
    narrowed = [judge_relevance(asked.question, asked.narrowed) for asked in row.asked]
    whole = [judge_relevance(asked.question, asked.whole) for asked in row.asked]
    columns = [
        *(
            " ".join(f"{mean(recall_at(j.gains, depth=d) for j in part):.3f}" for d in DEPTHS)
            for part in (narrowed, whole)
        ),
        f"{mean(judged.document_rank == 1 for judged in whole):.3f}",
        f"{mean(hit.last_page_number - hit.page_number + 1 for asked in row.asked for hit in asked.whole):.2f}",
        f"{median(asked.whole_seconds for asked in row.asked) * 1000:.1f}",
        f"{row.pages / row.ingestion_seconds:.0f}",
        f"{row.embedded:,}",
        f"{row.process_mib:.0f}",
        f"{postgres_mib:.0f}" if postgres_mib else "",
    ]
    return f"| {row.name} | {' | '.join(columns)} |"
