"""`lectern eval`: how well the library's search answers labelled questions."""

import itertools
import json
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.progress import Progress
from typer.core import TyperGroup

from lectern.cli.answer_evaluation import answers, hold
from lectern.cli.console import notes, results, show_json
from lectern.cli.options import DEFAULT_TOLERANCE, Baseline, DataDir, Json, SaveBaseline, Tolerance
from lectern.cli.workbench import Workbench, on_workbench
from lectern.db.scope import SYSTEM_SCOPE
from lectern.embeddings.cache import CachedQueries
from lectern.embeddings.errors import ModelNotSet
from lectern.evaluation import comparison, reports
from lectern.evaluation.calibration import Judged, calibrate
from lectern.evaluation.calibration_data import judged_searches
from lectern.evaluation.golden import NAME as GOLDEN
from lectern.evaluation.golden import golden_questions
from lectern.evaluation.results import Run, read_run
from lectern.evaluation.runner import Evaluation, Mode
from lectern.evaluation.search_settings import read_grid, variations
from lectern.evaluation.sets import LabelledQuestion, read_set
from lectern.settings import SearchSettings

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

Sets = Annotated[
    list[Path],
    typer.Argument(
        help="JSON lines, a folder with questions.jsonl, a manifest, TREC topics; golden: the starred hits."
    ),
]
Qrels = Annotated[Path | None, typer.Option(help="TREC judgements; the sets are TREC topics then.")]
Narrowed = Annotated[bool, typer.Option("--in-document", help="Search each question within its own document.")]


@app.command()
def run(
    sets: Sets,
    qrels: Qrels = None,
    mode: Annotated[Mode, typer.Option(help="Which arms answer.")] = Mode.HYBRID,
    in_document: Narrowed = False,
    output: Annotated[Path | None, typer.Option(help="Folder for run.json, run.md and recall.svg.")] = None,
    baseline: Baseline = None,
    tolerance: Tolerance = DEFAULT_TOLERANCE,
    save_baseline: SaveBaseline = None,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Ask the questions and report recall, MRR, nDCG and routing, each with its interval."""
    held = comparison.read_baseline(baseline) if baseline else None
    asked = _Asked(_questions(sets, qrels), _is_golden_wanted(sets), mode=mode, is_narrowed=in_document)
    (done,) = _runs(asked, lambda settings: [settings], data_dir=data_dir)
    if output:
        _keep(done, output)
    if save_baseline:
        save_baseline.write_text(json.dumps(comparison.baseline_of(done.summaries), indent=2) + "\n", encoding="utf-8")
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
    """Ask the questions under every combination of settings, held against the settings as they are.

    Nothing is applied: that is done by the settings' environment variables. Needs no language model.
    """
    grid = read_grid(vary)
    asked = _Asked(_questions(sets, qrels), _is_golden_wanted(sets), mode=mode, is_narrowed=in_document)
    as_it_is, *done = _runs(asked, lambda settings: [settings, *variations(settings, grid)], data_dir=data_dir)
    tried = [
        reports.Tried({name: run.settings[name] for name in grid}, run, comparison.compare(as_it_is, run))
        for run in done
    ]
    if is_json:
        show_json([_as_json(each) for each in tried])
    else:
        results.print(reports.sweep_markdown(as_it_is, tried), markup=False)


@app.command()
def rerank(
    sets: Sets,
    qrels: Qrels = None,
    in_document: Narrowed = False,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Ask the questions without and with the reranker of LECTERN_RERANK: what it wins, loses and costs."""
    asked = _Asked(_questions(sets, qrels), _is_golden_wanted(sets), mode=Mode.HYBRID, is_narrowed=in_document)
    without, with_it = _runs(asked, lambda settings: [settings], reranks=(False, True), data_dir=data_dir)
    moved = comparison.compare(without, with_it)
    if is_json:
        show_json({"without": without.model_dump(mode="json"), "with": with_it.model_dump(mode="json")})
    else:
        tried = reports.Tried({"reranker": with_it.settings["reranker"]}, with_it, moved)
        results.print(reports.sweep_markdown(without, [tried]), reports.comparison_markdown(moved), markup=False)
        results.print(reports.time_markdown(without, with_it), markup=False)


@app.command("embeddings")
def compare_embeddings(
    sets: Sets,
    qrels: Qrels = None,
    mode: Annotated[Mode, typer.Option(help="Which arms answer.")] = Mode.HYBRID,
    in_document: Narrowed = False,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Ask the questions by the embeddings in use and by those of the other model that is set: what it wins and loses.

    Nothing is applied: that is done by `lectern embeddings use`.
    """
    asked = _Asked(_questions(sets, qrels), _is_golden_wanted(sets), mode=mode, is_narrowed=in_document)

    async def work(bench: Workbench) -> list[Run]:
        questions = await asked.all_of(bench)
        async with bench.search_engines() as engines:
            if len(engines) == 1:
                raise ModelNotSet("No other model is set beside the one in use.")
            _warn(await Evaluation(engine=engines[0]).missing(questions))
            with Progress(console=notes, transient=True) as progress:
                task = progress.add_task("Asking", total=len(questions) * len(engines))
                return [
                    await Evaluation(engine=engine, mode=asked.mode, is_narrowed=asked.is_narrowed).run(
                        questions, progress=lambda: progress.advance(task)
                    )
                    for engine in engines
                ]

    used, other = on_workbench(work, data_dir=data_dir)
    moved = comparison.compare(used, other)
    if is_json:
        show_json({"used": used.model_dump(mode="json"), "other": other.model_dump(mode="json")})
    else:
        tried = reports.Tried({"model": other.settings["model"]}, other, moved)
        results.print(reports.sweep_markdown(used, [tried]), reports.comparison_markdown(moved), markup=False)


@app.command()
def confidence(sets: Sets, qrels: Qrels = None, data_dir: DataDir = None, is_json: Json = False) -> None:
    """Fit confidence to the questions: each is asked once more without the documents that answer it.

    Nothing is applied: that is done by the two variables that it prints.
    """
    asked = _Asked(_questions(sets, qrels), _is_golden_wanted(sets), mode=Mode.HYBRID, is_narrowed=False)

    async def work(bench: Workbench) -> list[Judged]:
        questions = await asked.all_of(bench)
        async with bench.search_engine() as opened:
            engine = replace(opened, provider=CachedQueries(opened.provider, size=max(len(questions), 1)))
            with Progress(console=notes, transient=True) as progress:
                task = progress.add_task("Asking", total=len(questions))
                evaluation = Evaluation(engine=engine)
                return await judged_searches(evaluation, questions, progress=lambda: progress.advance(task))

    trust = calibrate(on_workbench(work, data_dir=data_dir))
    if is_json:
        show_json(asdict(trust))
    else:
        results.print(reports.trust_markdown(trust), markup=False)


@app.command()
def compare(
    before: Annotated[Path, typer.Argument(help="run.json of the first run.")],
    after: Annotated[Path, typer.Argument(help="run.json of the second run.")],
) -> None:
    """Show which questions the second run won and lost."""
    results.print(reports.comparison_markdown(comparison.compare(read_run(before), read_run(after))), markup=False)


def _as_json(tried: reports.Tried) -> dict[str, object]:
    moved = {name: [asdict(change) for change in getattr(tried.moved, name)] for name in ("improved", "regressed")}
    return {"settings": tried.settings, "run": tried.run.model_dump(mode="json"), **moved}


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked and how; the golden queries are read once the library is open."""

    questions: Sequence[LabelledQuestion]
    is_golden_wanted: bool
    mode: Mode = field(kw_only=True)
    is_narrowed: bool = field(kw_only=True)

    async def all_of(self, bench: Workbench) -> list[LabelledQuestion]:
        if not self.is_golden_wanted:
            return list(self.questions)
        async with bench.database.session(SYSTEM_SCOPE) as session:
            return [*self.questions, *await golden_questions(session)]


def _is_golden_wanted(sets: Sequence[Path]) -> bool:
    return any(_is_golden(path) for path in sets)


def _is_golden(path: Path) -> bool:
    """`golden`, unless there is a file or folder of this name; `./golden` is always one."""
    return str(path) == GOLDEN and not path.exists()


def _questions(sets: Sequence[Path], qrels: Path | None) -> list[LabelledQuestion]:
    return [question for path in sets if not _is_golden(path) for question in read_set(path, qrels=qrels)]


def _runs(
    asked: _Asked,
    choose: Callable[[SearchSettings], Iterable[SearchSettings]],
    *,
    data_dir: Path | None,
    reranks: Sequence[bool | None] = (None,),
) -> list[Run]:
    """A run under each of the chosen settings, which are made of those of the installation."""
    if asked.mode is Mode.KEYWORD:  # each search would say that there is no model
        logging.getLogger("lectern.search").setLevel(logging.ERROR)

    async def work(bench: Workbench) -> list[Run]:
        chosen = list(itertools.product(choose(bench.settings.search), reranks))
        questions = await asked.all_of(bench)
        async with bench.search_engine() as opened:
            _warn(await Evaluation(engine=opened).missing(questions))
            engine = replace(opened, provider=CachedQueries(opened.provider, size=max(len(questions), 1)))
            done: list[Run] = []
            with Progress(console=notes, transient=True) as progress:
                task = progress.add_task("Asking", total=len(questions) * len(chosen))
                for settings, is_reranked in chosen:
                    evaluation = Evaluation(
                        engine=engine.with_settings(settings),
                        mode=asked.mode,
                        is_narrowed=asked.is_narrowed,
                        rerank=is_reranked,
                    )
                    done.append(await evaluation.run(questions, progress=lambda: progress.advance(task)))
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


def _hold(done: Run, held: comparison.Baseline | None, *, tolerance: float) -> None:
    if held is not None:
        hold(comparison.losses(done.summaries, held, tolerance=tolerance))
