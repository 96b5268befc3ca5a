"""`lectern eval`: measure search on labelled questions."""

import itertools
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from lectern.cli.console import notes, results, show, show_json
from lectern.cli.evaluation.answers import answers, fail_on_regressions, save, warn_about_missing
from lectern.cli.open_installation import OpenInstallation, on_installation
from lectern.cli.options import DEFAULT_TOLERANCE, Baseline, DataDir, DefaultCommandGroup, Json, SaveBaseline, Tolerance
from lectern.db.scope import SYSTEM_SCOPE
from lectern.embeddings.cache import CachedQueries
from lectern.embeddings.errors import ModelNotSet
from lectern.embeddings.service import store_calibration, store_ranker_fit
from lectern.evaluation import comparison, reports
from lectern.evaluation.calibration import CalibrationReport, calibrate
from lectern.evaluation.errors import NothingToFit, UnreadableSet
from lectern.evaluation.golden import NAME as GOLDEN
from lectern.evaluation.golden import golden_questions
from lectern.evaluation.ranker_fit import RankerFitReport, collect_candidates, fit_markdown, fit_ranker
from lectern.evaluation.results import Run, read_run
from lectern.evaluation.runner import RetrievalMode, SearchEvaluation, run_labelled_searches
from lectern.evaluation.search_settings import read_grid, settings_grid
from lectern.evaluation.sets import LabelledQuestion, read_set
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings


class _RunByDefault(DefaultCommandGroup):
    default = "run"


app = typer.Typer(help="Measure search and answers on labelled questions.", no_args_is_help=True, cls=_RunByDefault)
app.command()(answers)

Sets = Annotated[
    list[Path],
    typer.Argument(
        help="JSON lines, a folder with questions.jsonl, a manifest, or TREC topics. `golden` runs the golden queries."
    ),
]
OptionalSets = Annotated[
    list[Path] | None, typer.Argument(help="As for `run`; not with --remove. `golden` fits to the golden queries.")
]
Qrels = Annotated[Path | None, typer.Option(help="TREC relevance judgements. The sets are then TREC topics.")]
Narrowed = Annotated[bool, typer.Option("--in-document", help="Search only the document that a question is about.")]
ModeOption = Annotated[RetrievalMode, typer.Option(help="Arms of the search to use.")]


@app.command()
def run(
    sets: Sets,
    qrels: Qrels = None,
    mode: ModeOption = RetrievalMode.HYBRID,
    in_document: Narrowed = False,
    output: Annotated[Path | None, typer.Option(help="Folder for run.json, run.md and recall.svg.")] = None,
    baseline: Baseline = None,
    tolerance: Tolerance = DEFAULT_TOLERANCE,
    save_baseline: SaveBaseline = None,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Run the questions and report recall, MRR and nDCG, each with its interval."""
    expected = comparison.read_baseline(baseline) if baseline else None
    job = _EvaluationJob.of(sets, qrels, mode=mode, is_narrowed=in_document)
    (done,) = job.run(lambda settings: [settings], data_dir=data_dir)
    text = reports.markdown(done)
    if output:
        files = {"run.json": done.model_dump_json(indent=1) + "\n", "run.md": text, "recall.svg": reports.plot(done)}
        save(output, files)
    if save_baseline:
        comparison.write_baseline(save_baseline, done.summaries)
    show(done, text, is_json=is_json)
    if expected is not None:
        fail_on_regressions(comparison.find_regressions(done.summaries, expected, tolerance=tolerance))


@app.command()
def sweep(
    sets: Sets,
    vary: Annotated[list[str], typer.Option("--set", help="A setting and the values to try: ranker=model,fusion.")],
    qrels: Qrels = None,
    mode: ModeOption = RetrievalMode.HYBRID,
    in_document: Narrowed = False,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Run the questions with every combination of settings, and compare with the current settings.

    Nothing is applied. Set the environment variables to apply a combination.
    """
    grid = read_grid(vary)
    job = _EvaluationJob.of(sets, qrels, mode=mode, is_narrowed=in_document)
    current, *runs = job.run(lambda settings: [settings, *settings_grid(settings, grid)], data_dir=data_dir)
    tried = [
        reports.SweepResult({name: run.settings[name] for name in grid}, run, comparison.compare(current, run))
        for run in runs
    ]
    show([_as_json(each) for each in tried], reports.sweep_markdown(current, tried), is_json=is_json)


@app.command()
def rerank(
    sets: Sets,
    qrels: Qrels = None,
    in_document: Narrowed = False,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Run the questions without and with the reranker of LECTERN_RERANK, and compare ranks and times."""
    job = _EvaluationJob.of(sets, qrels, mode=RetrievalMode.HYBRID, is_narrowed=in_document)
    without, with_it = job.run(lambda settings: [settings], data_dir=data_dir, reranks=(False, True))
    if is_json:
        show_json({"without": without, "with": with_it})
    else:
        _print_comparison(without, with_it, "reranker")
        results.print(reports.time_markdown(without, with_it), markup=False)


@app.command("embeddings")
def compare_embeddings(
    sets: Sets,
    qrels: Qrels = None,
    mode: ModeOption = RetrievalMode.HYBRID,
    in_document: Narrowed = False,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Run the questions with the active embeddings and with those of the other configured model.

    Nothing is applied. Use `lectern embeddings use` to activate a model.
    """
    job = _EvaluationJob.of(sets, qrels, mode=mode, is_narrowed=in_document)

    async def work(bench: OpenInstallation) -> list[Run]:
        questions = await job.load(bench)
        async with bench.search_engines() as engines:
            if len(engines) == 1:
                raise ModelNotSet("No other model is configured beside the active one.")
            return await job.run_all(questions, [(engine, None) for engine in engines])

    active, other = on_installation(work, data_dir=data_dir)
    value = {"active": active, "other": other}
    show(value, lambda: _print_comparison(active, other, "model"), is_json=is_json)


@app.command()
def confidence(sets: Sets, qrels: Qrels = None, data_dir: DataDir = None, is_json: Json = False) -> None:
    """Calibrate confidence. Each question also runs without the documents that answer it.

    An earlier calibration is removed first. The new one is stored for the active model if held-out questions gain.
    """
    job = _EvaluationJob.of(sets, qrels, mode=RetrievalMode.HYBRID, is_narrowed=False)

    async def work(bench: OpenInstallation) -> CalibrationReport:
        questions = await job.load(bench)
        async with bench.search_engine() as engine:
            async with bench.database.session(SYSTEM_SCOPE) as session:
                await store_calibration(session, engine.provider.info)
            with Progress(console=notes, transient=True) as progress:
                task = progress.add_task("Searching", total=len(questions))
                evaluation = SearchEvaluation(engine=_with_query_cache(engine, len(questions)))
                judged = await run_labelled_searches(evaluation, questions, progress=lambda: progress.advance(task))
            report = calibrate(judged)
            fitted = report.calibration
            async with bench.database.session(SYSTEM_SCOPE) as session:
                await store_calibration(session, engine.provider.info, bias=fitted.bias, slope=fitted.slope)
            return report

    report = on_installation(work, data_dir=data_dir)
    show(report, reports.calibration_markdown(report), is_json=is_json)


@app.command()
def fit(
    sets: OptionalSets = None,
    qrels: Qrels = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Measure, and store nothing.")] = False,
    is_removed: Annotated[bool, typer.Option("--remove", help="Go back to the shipped ranker.")] = False,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Fit the ranker to your questions. It is stored for the active model if other documents gain.

    Ends with code 1 and changes nothing if they do not.
    """
    if is_removed:
        on_installation(_remove_fit, data_dir=data_dir)
        notes.print("Search uses the shipped ranker.")
        return
    if not sets:
        raise UnreadableSet("No labelled set is given.", hint="Run `lectern eval fit golden`.")
    job = _EvaluationJob.of(sets, qrels, mode=RetrievalMode.HYBRID, is_narrowed=False)
    report = on_installation(lambda bench: _fit(job, bench, is_stored=not dry_run), data_dir=data_dir)
    show(report, fit_markdown(report), is_json=is_json)
    if not report.is_gain:
        raise NothingToFit("The fitted ranker does not find more in documents that it was not fitted to.")
    notes.print("Not stored (--dry-run)." if dry_run else "Stored for the active model. New searches use it.")


async def _fit(job: "_EvaluationJob", bench: OpenInstallation, *, is_stored: bool) -> RankerFitReport:
    questions = [one for one in await job.load(bench) if one.is_answerable and one.documents]
    async with bench.search_engine() as engine:
        await warn_about_missing(engine, questions)
        with Progress(console=notes, transient=True) as progress:
            task = progress.add_task("Searching", total=len(questions))
            collected = await collect_candidates(engine, questions, progress=lambda: progress.advance(task))
        report = fit_ranker(collected)
        if is_stored and report.is_gain:
            async with bench.database.session(SYSTEM_SCOPE) as session:
                await store_ranker_fit(session, engine.provider.info, report.fit.to_json())
        return report


async def _remove_fit(bench: OpenInstallation) -> None:
    async with bench.search_engine() as engine, bench.database.session(SYSTEM_SCOPE) as session:
        await store_ranker_fit(session, engine.provider.info, None)


@app.command()
def compare(
    before: Annotated[Path, typer.Argument(help="run.json of the first run.")],
    after: Annotated[Path, typer.Argument(help="run.json of the second run.")],
) -> None:
    """Show which questions improved or regressed in the second run."""
    results.print(reports.comparison_markdown(comparison.compare(read_run(before), read_run(after))), markup=False)


def _print_comparison(before: Run, after: Run, setting: str) -> None:
    changes = comparison.compare(before, after)
    tried = reports.SweepResult({setting: after.settings[setting]}, after, changes)
    results.print(reports.sweep_markdown(before, [tried]), reports.comparison_markdown(changes), markup=False)


def _as_json(tried: reports.SweepResult) -> dict[str, object]:
    changes = {
        name: [asdict(change) for change in getattr(tried.comparison, name)] for name in ("improved", "regressed")
    }
    return {"settings": tried.settings, "run": tried.run.model_dump(mode="json"), **changes}


@dataclass(frozen=True, slots=True, kw_only=True)
class _EvaluationJob:
    """Questions and how to search for them. Golden queries are loaded once the library is open."""

    questions: Sequence[LabelledQuestion]
    has_golden_queries: bool
    mode: RetrievalMode
    is_narrowed: bool

    @staticmethod
    def of(sets: Sequence[Path], qrels: Path | None, *, mode: RetrievalMode, is_narrowed: bool) -> "_EvaluationJob":
        files = [path for path in sets if not _is_golden(path)]
        return _EvaluationJob(
            questions=[question for path in files for question in read_set(path, qrels=qrels)],
            has_golden_queries=len(files) < len(sets),
            mode=mode,
            is_narrowed=is_narrowed,
        )

    async def load(self, bench: OpenInstallation) -> list[LabelledQuestion]:
        if not self.has_golden_queries:
            return list(self.questions)
        async with bench.database.session(SYSTEM_SCOPE) as session:
            return [*self.questions, *await golden_questions(session)]

    def run(
        self,
        choose: Callable[[SearchSettings], Iterable[SearchSettings]],
        *,
        data_dir: Path | None,
        reranks: Sequence[bool | None] = (None,),
    ) -> list[Run]:
        """Run with each of the settings that `choose` derives from those of the installation."""
        if self.mode is RetrievalMode.KEYWORD:  # each search would warn that there is no model
            logging.getLogger("lectern.search").setLevel(logging.ERROR)

        async def work(bench: OpenInstallation) -> list[Run]:
            questions = await self.load(bench)
            async with bench.search_engine() as opened:
                engine = _with_query_cache(opened, len(questions))
                variants = [
                    (engine.with_settings(settings), is_reranked)
                    for settings, is_reranked in itertools.product(choose(bench.settings.search), reranks)
                ]
                return await self.run_all(questions, variants)

        return on_installation(work, data_dir=data_dir)

    async def run_all(
        self, questions: Sequence[LabelledQuestion], variants: Sequence[tuple[SearchEngine, bool | None]]
    ) -> list[Run]:
        """Run the questions on each engine, with or without its reranker."""
        await warn_about_missing(variants[0][0], questions)
        runs: list[Run] = []
        with Progress(console=notes, transient=True) as progress:
            task = progress.add_task("Searching", total=len(questions) * len(variants))
            for engine, is_reranked in variants:
                evaluation = SearchEvaluation(
                    engine=engine, mode=self.mode, is_narrowed=self.is_narrowed, rerank=is_reranked
                )
                runs.append(await evaluation.run(questions, progress=lambda: progress.advance(task)))
        return runs


def _is_golden(path: Path) -> bool:
    """Return True for `golden`, unless a file or folder has this name."""
    return str(path) == GOLDEN and not path.exists()


def _with_query_cache(engine: SearchEngine, size: int) -> SearchEngine:
    return replace(engine, provider=CachedQueries(engine.provider, size=max(size, 1)))
