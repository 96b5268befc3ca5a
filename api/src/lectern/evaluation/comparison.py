"""Two runs question by question, and a run against its baseline (pure)."""

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
class Change:
    """A question's first relevant rank before and after; None: not found."""

    key: tuple[str, str]
    question: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Questions that the second run ranks higher, lower, or alike; `unmatched` are in one run only."""

    improved: list[Change]
    regressed: list[Change]
    unchanged: list[Change]
    unmatched: int

    @property
    def counts(self) -> str:
        """The counts as text, such as `2 improved, 1 regressed, 9 unchanged`."""
        return f"{len(self.improved)} improved, {len(self.regressed)} regressed, {len(self.unchanged)} unchanged"


def compare(before: Run, after: Run) -> Comparison:
    """Where the first relevant hit of each answerable question moved."""
    old, new = _by_key(before.questions), _by_key(after.questions)
    changes = [
        Change(key=key, question=new[key].question, before=old[key].first_rank, after=new[key].first_rank)
        for key in new
        if key in old
    ]
    return Comparison(
        improved=[change for change in changes if _place(change.after) < _place(change.before)],
        regressed=[change for change in changes if _place(change.after) > _place(change.before)],
        unchanged=[change for change in changes if change.after == change.before],
        unmatched=len(old.keys() ^ new.keys()),
    )


def _by_key(results: Sequence[QuestionResult]) -> dict[tuple[str, str], QuestionResult]:
    return {(result.set_name, result.id): result for result in results if result.is_answerable}


def _place(rank: int | None) -> float:
    return float("inf") if rank is None else rank


Baseline = Mapping[str, Mapping[str, float]]
"""What is held: {group: {measure: value}}."""


def baseline_of(summaries: Sequence[Summary]) -> dict[str, dict[str, float]]:
    """The guarded measures of every group."""
    return {
        summary.group: {name: summary.measures[name].value for name in GUARDED if name in summary.measures}
        for summary in summaries
    }


def read_baseline(path: Path) -> Baseline:
    """A baseline file.

    Raises:
        UnreadableRun: The file cannot be read or is something else.
    """
    try:
        loaded = cast("dict[str, dict[str, float]]", json.loads(path.read_text(encoding="utf-8")))
        return {group: {name: float(value) for name, value in held.items()} for group, held in loaded.items()}
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise UnreadableRun(f"{path} cannot be read as a baseline: {error}.") from error


def losses(summaries: Sequence[Summary], baseline: Baseline, *, tolerance: float) -> list[str]:
    """A sentence for each measure that is more than `tolerance` below its baseline, or is not there any more."""
    found = baseline_of(summaries)
    sentences: list[str] = []
    for group, held in baseline.items():
        for name, value in held.items():
            now = found.get(group, {}).get(name)
            if now is None:
                sentences.append(f"{group}: {name} was {value:.3f}, and is not measured now.")
            elif now < value - tolerance:
                sentences.append(f"{group}: {name} fell from {value:.3f} to {now:.3f}.")
    return sentences
