"""`lectern eval answers`: measure answers to labelled questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer
from pydantic import SecretStr
from rich.progress import Progress

from lectern.answers.generation.endpoint import ChatEndpoint
from lectern.answers.trace import StepsChoice
from lectern.cli.console import notes, show
from lectern.cli.open_installation import OpenInstallation, on_installation
from lectern.cli.options import DEFAULT_TOLERANCE, Baseline, DataDir, Json, SaveBaseline, Tolerance
from lectern.errors import Misconfigured
from lectern.evaluation import comparison
from lectern.evaluation.answer_quality import reports
from lectern.evaluation.answer_quality.judges import Judge, ModelJudge, TokenJudge
from lectern.evaluation.answer_quality.results import AnswerRun
from lectern.evaluation.answer_quality.runner import AnswerEvaluation
from lectern.evaluation.runner import list_missing_documents
from lectern.evaluation.sets import LabelledQuestion, read_set
from lectern.search.service import SearchEngine
from lectern.settings import AnswersSettings

_MAX_LISTED: Final = 5


def answers(
    sets: Annotated[list[Path], typer.Argument(help="JSON lines, a folder with questions.jsonl, or a manifest.")],
    runs: Annotated[int, typer.Option(min=1, max=20, help="Number of runs, to measure the spread.")] = 1,
    top_k: Annotated[int, typer.Option(min=1, max=20, help="Number of passages to answer from.")] = 8,
    steps: Annotated[
        bool, typer.Option("--steps", help="Answer every question in several steps. Needs a chat endpoint.")
    ] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Use only the first questions of each set.")] = None,
    judge_url: Annotated[
        str | None, typer.Option(help="Chat endpoint that judges answers. By default numbers and words are compared.")
    ] = None,
    judge_model: Annotated[str | None, typer.Option(help="Model of the judge.")] = None,
    judge_key_file: Annotated[Path | None, typer.Option(help="File with the API key of the judge.")] = None,
    output: Annotated[Path | None, typer.Option(help="Folder for answers.json and answers.md.")] = None,
    baseline: Baseline = None,
    tolerance: Tolerance = DEFAULT_TOLERANCE,
    save_baseline: SaveBaseline = None,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Ask the questions and report accuracy, citations and abstention, each with its interval."""
    questions = [question for path in sets for question in read_set(path, is_for_answers=True)[:limit]]
    expected = comparison.read_baseline(baseline) if baseline else None
    judge = _judge(judge_url, judge_model, judge_key_file)
    asking = Asking(runs=runs, top_k=top_k, steps="always" if steps else "auto")
    done = _run(questions, judge=judge, asking=asking, data_dir=data_dir)
    text = reports.markdown(done)
    if output:
        save(output, {"answers.json": done.model_dump_json(indent=1) + "\n", "answers.md": text})
    if save_baseline:
        comparison.write_baseline(save_baseline, done.summaries)
    show(done, text, is_json=is_json)
    if expected is not None:
        fail_on_regressions(comparison.find_regressions(done.summaries, expected, tolerance=tolerance))


def save(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files of a run to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    *names, last = files
    notes.print(f"Saved {', '.join(names)} and {last} in {folder}.", markup=False)


async def warn_about_missing(engine: SearchEngine, questions: Sequence[LabelledQuestion]) -> None:
    """Name the labelled documents that the library does not have."""
    documents = await list_missing_documents(engine, questions)
    if documents:
        names = ", ".join(documents[:_MAX_LISTED]) + (" and others" if len(documents) > _MAX_LISTED else "")
        notes.print(f"The library does not have {names}, so questions about them fail.", markup=False)


def fail_on_regressions(regressions: list[str]) -> None:
    """Print the regressions. Exits with code 1 if there are any."""
    for sentence in regressions:
        notes.print(sentence, markup=False)
    if regressions:
        raise typer.Exit(1)
    notes.print("No measure is below the baseline.")


def _judge(url: str | None, model: str | None, key_file: Path | None) -> Judge:
    if url is None and model is None:
        return TokenJudge()
    if url is None or model is None:
        raise Misconfigured(
            "The judge needs an address and a model.", hint="Use --judge-url together with --judge-model."
        )
    key = SecretStr(key_file.read_text(encoding="utf-8").strip()) if key_file else None
    return ModelJudge(ChatEndpoint(AnswersSettings(base_url=url, model=model, api_key=key)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """The options of asking each question."""

    runs: int
    top_k: int
    steps: StepsChoice


def _run(questions: list[LabelledQuestion], *, judge: Judge, asking: Asking, data_dir: Path | None) -> AnswerRun:
    async def work(bench: OpenInstallation) -> AnswerRun:
        async with bench.answer_service() as service:
            if asking.steps == "always" and service.chat is None:
                raise Misconfigured(
                    "Answers in several steps need a chat endpoint.",
                    hint="Set LECTERN_ANSWERS_BASE_URL and LECTERN_ANSWERS_MODEL.",
                )
            await warn_about_missing(service.engine, questions)
            with Progress(console=notes, transient=True) as progress:
                task = progress.add_task("Asking", total=len(questions) * asking.runs)
                evaluation = AnswerEvaluation(service=service, judge=judge, top_k=asking.top_k, steps=asking.steps)
                return await evaluation.run(questions, runs=asking.runs, progress=lambda: progress.advance(task))

    return on_installation(work, data_dir=data_dir)
