"""Comparison of two runs by question, and of a run with its baseline (pure)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from lectern.evaluation.errors import UnreadableRun
from lectern.evaluation.results import QuestionResult, Run, Summary

GUARDED: Final = (
    *("recall@1", "recall@5", "recall@20", "mrr", "ndcg@10", "document_first"),  # of searches
    *("accuracy", "right_of_answered", "document_cited", "page_cited"),  # of answers
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankChange:
    """The first relevant rank of a question in two runs, None if not found."""

    key: tuple[str, str]
    question: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """Questions that the second run ranks higher, lower or equally. `unmatched` questions are in one run only."""

    improved: list[RankChange]
    regressed: list[RankChange]
    unchanged: list[RankChange]
    unmatched: int

    @property
    def counts(self) -> str:
        """The counts as text, such as `2 improved, 1 regressed, 9 unchanged`."""
        return f"{len(self.improved)} improved, {len(self.regressed)} regressed, {len(self.unchanged)} unchanged"


def compare(before: Run, after: Run) -> RunComparison:
    """Compare the rank of the first relevant hit of each answerable question."""
    old, new = _by_key(before.questions), _by_key(after.questions)
    changes = [
        RankChange(key=key, question=new[key].question, before=old[key].first_rank, after=new[key].first_rank)
        for key in new
        if key in old
    ]
    return RunComparison(
        improved=[change for change in changes if _rank(change.after) < _rank(change.before)],
        regressed=[change for change in changes if _rank(change.after) > _rank(change.before)],
        unchanged=[change for change in changes if change.after == change.before],
        unmatched=len(old.keys() ^ new.keys()),
    )


def _by_key(results: Sequence[QuestionResult]) -> dict[tuple[str, str], QuestionResult]:
    return {(result.set_name, result.id): result for result in results if result.is_answerable}


def _rank(rank: int | None) -> float:
    return float("inf") if rank is None else rank


Baseline = Mapping[str, Mapping[str, float]]
"""Measures to keep up: {group: {measure: value}}."""


def to_baseline(summaries: Sequence[Summary]) -> dict[str, dict[str, float]]:
    """Return the guarded measures of every group."""
    return {
        summary.group: {name: summary.measures[name].value for name in GUARDED if name in summary.measures}
        for summary in summaries
    }


def write_baseline(path: Path, summaries: Sequence[Summary]) -> None:
    """Write the guarded measures to a file."""
    path.write_text(json.dumps(to_baseline(summaries), indent=2) + "\n", encoding="utf-8")


def read_baseline(path: Path) -> Baseline:
    """Read a baseline file.

    Raises:
        UnreadableRun: The file cannot be read, or is no baseline.
    """
    try:
        loaded = cast("dict[str, dict[str, float]]", json.loads(path.read_text(encoding="utf-8")))
        return {group: {name: float(value) for name, value in measures.items()} for group, measures in loaded.items()}
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise UnreadableRun(f"{path} cannot be read as a baseline: {error}.") from error


def find_regressions(summaries: Sequence[Summary], baseline: Baseline, *, tolerance: float) -> list[str]:
    """Return a sentence for each measure that fell more than `tolerance` below its baseline, or is missing."""
    current = to_baseline(summaries)
    sentences: list[str] = []
    for group, measures in baseline.items():
        for name, value in measures.items():
            now = current.get(group, {}).get(name)
            if now is None:
                sentences.append(f"{group}: {name} was {value:.3f} and is now missing.")
            elif now < value - tolerance:
                sentences.append(f"{group}: {name} fell from {value:.3f} to {now:.3f}.")
    return sentences
