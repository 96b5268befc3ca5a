"""Define the measurements of a system, and print them as a table row."""

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
    """The pages of a chunk of a peer, as a hit to judge."""

    document: str
    page_number: int
    last_page_number: int
    char_start: int = 0
    char_end: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionHits:
    """The hits of a question, in its own document and in the whole library."""

    question: LabelledQuestion
    narrowed: Sequence[Retrieved]
    whole: Sequence[Retrieved]
    whole_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The measurements of a system on a set. `ingestion_seconds` is without the time of embedding `embedded` texts."""

    name: str
    questions: Sequence[QuestionHits]
    pages: int
    ingestion_seconds: float
    embedded: int
    process_mib: float


HEADER: Final = (
    "| | in the document @1 @5 @20 | whole library @1 @5 @20 | right document first | pages per hit |"
    " search p50, ms | ingestion, pages/s | texts embedded | process, MiB | Postgres, MiB |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)


def table_row(row: Row, *, postgres_mib: float = 0) -> str:
    """Return a row of the table."""
    narrowed = [judge_relevance(one.question, one.narrowed) for one in row.questions]
    whole = [judge_relevance(one.question, one.whole) for one in row.questions]
    columns = [
        *(
            " ".join(f"{mean(recall_at(judged.gains, depth=depth) for judged in part):.3f}" for depth in DEPTHS)
            for part in (narrowed, whole)
        ),
        f"{mean(judged.document_rank == 1 for judged in whole):.3f}",
        f"{mean(hit.last_page_number - hit.page_number + 1 for one in row.questions for hit in one.whole):.2f}",
        f"{median(one.whole_seconds for one in row.questions) * 1000:.1f}",
        f"{row.pages / row.ingestion_seconds:.0f}",
        f"{row.embedded:,}",
        f"{row.process_mib:.0f}",
        f"{postgres_mib:.0f}" if postgres_mib else "",
    ]
    return f"| {row.name} | {' | '.join(columns)} |"
