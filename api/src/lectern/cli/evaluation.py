"""`lectern eval`: how well the library's search answers labelled questions."""

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.progress import Progress
from typer.core import TyperGroup

from lectern.cli.answer_evaluation import DEFAULT_TOLERANCE, answers, hold
from lectern.cli.console import notes, results, show_json
from lectern.cli.options import DataDir, Json
from lectern.cli.workbench import Workbench, on_workbench
from lectern.embeddings.cache import CachedQueries
from lectern.evaluation import comparing, reports
from lectern.evaluation.results import Run, read_run
from lectern.evaluation.runner import Evaluation, Mode, read_grid, variations
from lectern.evaluation.sets import LabelledQuestion, read_set
from lectern.search.service import SearchEngine

SHOWN: Final = 5


class _RunByDefault(TyperGroup):
    """`lectern eval SET` is `lectern eval run SET`."""

    # pyright: ignore is for the context, of which typer has a public and a private class
    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # pyright: ignore[reportIncompatibleMethodOverride]
        if args and args[0] not in {*self.commands, "-h", "--help"}:
            args = ["run", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    help="Measure searching and answering on labelled questions.", no_args_is_help=True, cls=_RunByDefault
)
app.command()(answers)

Sets = Annotated[list[Path], typer.Argument(help="JSON lines, a folder with questions.jsonl, a manifest, TREC topics.")]
Qrels = Annotated[Path | None, typer.Option(help="TREC judgements; the sets are TREC topics then.")]
Narrowed = Annotated[bool, typer.Option("--in-document", help="Search each question within its own document.")]


@app.command()
def run(
    sets: Sets,
    qrels: Qrels = None,
    mode: Annotated[Mode, typer.Option(help="Which arms answer.")] = Mode.HYBRID,
    in_document: Narrowed = False,
    output: Annotated[Path | None, typer.Option(help="Folder for run.json, run.md and recall.svg.")] = None,
    baseline: Annotated[
        Path | None, typer.Option(help="Fail (exit code 1) when a measure is below this file's.")
    ] = None,
    tolerance: Annotated[float, typer.Option(min=0, max=1, help="How far below is no loss yet.")] = DEFAULT_TOLERANCE,
    keep_baseline: Annotated[Path | None, typer.Option(help="Write the measures as a baseline.")] = None,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Ask the questions and report recall, MRR, nDCG and routing, each with its interval."""
    questions = _questions(sets, qrels)
    held = comparing.read_baseline(baseline) if baseline else None
    done = _runs(questions, mode=mode, is_narrowed=in_document, grid={}, data_dir=data_dir)[0][1]
    if output:
        _keep(done, output)
    if keep_baseline:
        keep_baseline.write_text(json.dumps(comparing.baseline_of(done.summaries), indent=2) + "\n", encoding="utf-8")
    if is_json:
        show_json(done.model_dump(mode="json"))
    else:
        results.print(reports.markdown(done), markup=False)
    _hold(done, held, tolerance=tolerance)


@app.command()
def sweep(
    sets: Sets,
    vary: Annotated[list[str], typer.Option("--set", help="A setting and the values to try: rrf_k=10,60.")],
    qrels: Qrels = None,
    mode: Annotated[Mode, typer.Option(help="Which arms answer.")] = Mode.HYBRID,
    in_document: Narrowed = False,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Ask the questions under every combination of settings. Needs no language model."""
    grid = read_grid(vary)
    done = _runs(_questions(sets, qrels), mode=mode, is_narrowed=in_document, grid=grid, data_dir=data_dir)
    if is_json:
        show_json([{"settings": tried, "run": each.model_dump(mode="json")} for tried, each in done])
    else:
        results.print(reports.sweep_markdown(done), markup=False)


@app.command()
def compare(
    before: Annotated[Path, typer.Argument(help="run.json of the first run.")],
    after: Annotated[Path, typer.Argument(help="run.json of the second run.")],
) -> None:
    """Show which questions the second run won and lost."""
    results.print(reports.comparison_markdown(comparing.compare(read_run(before), read_run(after))), markup=False)


def _questions(sets: Sequence[Path], qrels: Path | None) -> list[LabelledQuestion]:
    return [question for path in sets for question in read_set(path, qrels=qrels)]


def _runs(
    questions: Sequence[LabelledQuestion],
    *,
    mode: Mode,
    is_narrowed: bool,
    grid: dict[str, list[str]],
    data_dir: Path | None,
) -> list[tuple[dict[str, object], Run]]:
    if mode is Mode.KEYWORD:  # each search would say that there is no model
        logging.getLogger("lectern.search").setLevel(logging.ERROR)

    async def work(bench: Workbench) -> list[tuple[dict[str, object], Run]]:
        chosen = list(variations(bench.settings.search, grid))
        async with bench.search_engine() as opened:
            _warn(await Evaluation(engine=opened).missing(questions))
            provider = CachedQueries(opened.provider, size=max(len(questions), 1))
            done: list[tuple[dict[str, object], Run]] = []
            with Progress(console=notes, transient=True) as progress:
                task = progress.add_task("Asking", total=len(questions) * len(chosen))
                for settings in chosen:
                    engine = SearchEngine(bench.database, provider, settings, opened.languages)
                    evaluation = Evaluation(engine=engine, mode=mode, is_narrowed=is_narrowed)
                    found = await evaluation.run(questions, progress=lambda: progress.advance(task))
                    done.append(({name: getattr(settings, name) for name in grid}, found))
            return done

    return on_workbench(work, data_dir=data_dir)


def _warn(missing: Sequence[str]) -> None:
    if missing:
        names = ", ".join(missing[:SHOWN]) + (" and others" if len(missing) > SHOWN else "")
        notes.print(f"The library does not have {names}: what is asked about them counts as lost.", markup=False)


def _keep(done: Run, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(done.model_dump_json(indent=1) + "\n", encoding="utf-8")
    (folder / "run.md").write_text(reports.markdown(done), encoding="utf-8")
    (folder / "recall.svg").write_text(reports.plot(done), encoding="utf-8")
    notes.print(f"Kept run.json, run.md and recall.svg in {folder}.", markup=False)


def _hold(done: Run, held: comparing.Baseline | None, *, tolerance: float) -> None:
    if held is not None:
        hold(comparing.losses(done.summaries, held, tolerance=tolerance))
