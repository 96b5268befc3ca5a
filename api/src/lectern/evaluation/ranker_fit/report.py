"""The report of `lectern eval fit` (pure)."""

from lectern.evaluation.ranker_fit.fit import DEPTH, Gain, RankerFitReport


def fit_markdown(report: RankerFitReport) -> str:
    """Return the gain on documents that were left out of the fit, and the weights."""
    weights = sorted(report.fit.weights.items(), key=lambda item: -abs(item[1]))
    return (
        f"{report.questions} questions about {report.groups} groups of documents, each group ranked by a fit to the "
        f"others: {report.improved} improved, {report.regressed} regressed.\n\n"
        "| measure | shipped | fitted | difference |\n|---|---|---|---|\n"
        f"{_row('MRR', report.mrr)}{_row(f'recall@{DEPTH}', report.recall)}\n"
        f"Weights: {', '.join(f'{name} {value:+.2f}' for name, value in weights) or 'none'}.\n"
    )


def _row(name: str, gain: Gain) -> str:
    difference = f"{gain.after - gain.before:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})"
    return f"| {name} | {gain.before:.3f} | {gain.after:.3f} | {difference} |\n"
