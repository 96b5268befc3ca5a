"""`lectern ask`: answer a question on the terminal."""

from itertools import groupby
from typing import Annotated

import typer
from rich.text import Text

from lectern.answers.schemas import AnswerRequest, AnswerResponse, AnswerSentence, Citation, ClosestSource
from lectern.answers.trace import AnswerTrace, StepsChoice
from lectern.cli.console import results, show_json, show_passage, show_table
from lectern.cli.open_installation import OpenInstallation, on_installation
from lectern.cli.options import Collections, DataDir, Documents, Json, Tags
from lectern.db.scope import SYSTEM_SCOPE
from lectern.search.schemas import TagFilter


def ask(
    question: Annotated[list[str], typer.Argument(help="Question, in any language.")],
    document: Documents = None,
    tag: Tags = None,
    collection: Collections = None,
    steps: Annotated[
        StepsChoice,
        typer.Option(help="Answer in several steps, with a chat endpoint. `auto`: for calculations and comparisons."),
    ] = "auto",
    top_k: Annotated[int, typer.Option(min=1, max=20, help="Number of passages to answer from.")] = 8,
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Answer a question from the documents, with citations, or show the closest passages."""
    request = AnswerRequest(
        question=" ".join(question),
        top_k=top_k,
        documents=document or [],
        tags=TagFilter(any=tag or []),
        collections=collection or [],
        steps=steps,
        save=False,
    )

    async def work(bench: OpenInstallation) -> AnswerResponse:
        async with bench.answer_service() as service:
            return await service.ask(request, SYSTEM_SCOPE)

    response = on_installation(work, data_dir=data_dir)
    if is_json:
        show_json(response)
        return
    _show_sentences(response)
    for citation in response.data.citations:
        _show(citation)
    results.print(response.message, markup=False)
    for passage in response.data.nearest:
        _show_closest(passage)
    if response.metadata.trace and response.metadata.trace.route == "multi_step":
        _show_trace(response.metadata.trace)


def _show_sentences(response: AnswerResponse) -> None:
    """Show sentences with the numbers of their citations, and quoted table rows below their header."""
    is_quoted = response.metadata.mode == "extractive"
    tables = {citation.number: citation.table for citation in response.data.citations if is_quoted and citation.table}

    def header_of(sentence: AnswerSentence) -> list[str] | None:
        table = tables.get(sentence.citations[0]) if sentence.citations else None
        return table.header if table else None

    for header, sentences in groupby(response.data.sentences, key=header_of):
        if header:
            numbers = [sentence.citations[0] for sentence in sentences]
            rows = [[*row, f"[{number}]"] for number in numbers for row in tables[number].rows]
            show_table([*header, ""], rows, can_be_list=True)
            continue
        for sentence in sentences:
            numbers = "".join(f" [{number}]" for number in sentence.citations)
            results.print(Text.assemble(sentence.text, (numbers, "bold")))


def _show_trace(trace: AnswerTrace) -> None:
    """Show the steps, the figures with their pages, and the calculation."""
    for step in trace.steps:
        results.print(
            Text(f"  {step.kind}: {step.input} → {step.problem or step.output} ({step.seconds:.1f} s)", "dim")
        )
    for cell in trace.evidence:
        place = f"{cell.document}, page {cell.page_number}"
        results.print(Text(f"  {cell.id}: {cell.label} {cell.period} = {cell.value}, {place}"))
    for rejected in trace.rejected:
        results.print(Text(f"  {rejected.search}, not used: {rejected.detail}"))
    for line in trace.calculation.lines if trace.calculation else ():
        results.print(Text(f"  {line.expression} = {line.result}"))


def _show_closest(passage: ClosestSource) -> None:
    """Show where a passage is, and its lines with the best sentence in bold."""
    lines = Text(passage.snippet, "dim")
    if passage.sentence:
        lines.stylize("not dim bold", passage.sentence.start, passage.sentence.end)
    results.print(Text(f"  {passage.document}, page {passage.page_number}:"))
    show_passage(lines, indent="    ")


def _show(citation: Citation) -> None:
    heading = f", {citation.section_heading}" if citation.section_heading else ""
    location = f"{citation.document}, page {citation.page_number}{heading}"
    origin = " (from the page image)" if citation.basis == "image" else ""
    results.print(Text.assemble((f"[{citation.number}] ", "bold"), location, origin))
