"""Measure how completely how-to questions are answered without a chat endpoint.

    python benchmarks/manuals.py emqap DATA OUT [--half tuning|frozen] [--browser chromium]
    python benchmarks/manuals.py library QUESTIONS FOLDER... [--half tuning|frozen]

DATA is the folder `data` of EMQAP, with `smart_remote_QA.zip` unpacked in it. OUT gets the manuals of a telephone and
of a television as PDFs. Each question is asked of its manual. The television's sections are cut into two halves.
QUESTIONS are JSON lines such as those of `how_to_questions.jsonl`, asked of all documents in the folders.
Precision is the share of an answer's pairs of words that the labelled text has, recall the reverse, 0..1. An answer
with a precision of .7 is right.
"""

import argparse
import asyncio
import csv
import hashlib
import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any, Final

import corpora
from tatqa_pages import print_pdf
from throwaway import ThrowawayDatabase, fresh_library

from lectern.answers.extractive.answer import extract_answer
from lectern.answers.questions import parse_question
from lectern.answers.retrieval import retrieve
from lectern.answers.schemas import AnswerRequest
from lectern.db.scope import SYSTEM_SCOPE
from lectern.embeddings.cache import CachedQueries
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings

TELEPHONE: Final = "telephone.pdf"
TELEVISION: Final = "television.pdf"
_STYLE: Final = "@page{size:A4;margin:1.5cm}body{font:7.5pt sans-serif;margin:0}h2{font-size:11pt}p{margin:3px 0}"
_PAGE_END: Final = re.compile(r"- \d+ -")
_FULL_LINE: Final = 75  # characters
_UNFINISHED: Final = re.compile(r"\b(?:the|and|or|to|in|a|of|on|select|press|is)$")
_FIELD: Final = re.compile(r'"(Section Hierarchy|Question|Answer)[^"]*"\s*:\s*"(.*?)"\s*,?\s*(?=\n|})', re.DOTALL)


_MIN_PRECISION: Final = 0.7  # of a right answer


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """A question with the text that answers it, empty if none does, and the section of it.

    Without a document it is asked of the library.
    """

    document: str
    section: str
    question: str
    answer: str

    @property
    def half(self) -> str:
        """The half that the section is in."""
        return "tuning" if int(hashlib.md5(self.section.encode()).hexdigest(), 16) % 2 else "frozen"


def draw_telephone(sections: dict[str, Any]) -> str:
    """Return a manual whose sections have HTML, without its pictures. Its letters were read as Latin-1."""
    body = "".join(_repair(part) for section in sections.values() for part in section["html"])
    return f"<meta charset=utf-8><title>Telephone</title>{re.sub('<img[^>]*>', '', body)}"


def _repair(text: str) -> str:
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        return text


def draw_television(sections: dict[str, Any]) -> str:
    """Return a manual whose sections have the lines of its pages, each page on one of its own."""
    parts: list[str] = []
    for section in sections.values():
        parts.append(f"<h2>{html.escape(section['title'])}</h2>")
        for paragraph in _join_lines(section["text"]):
            is_end = _PAGE_END.fullmatch(paragraph)
            parts.append("<div style='break-after:page'></div>" if is_end else f"<p>{html.escape(paragraph)}</p>")
    return f"<meta charset=utf-8><title>Television</title><style>{_STYLE}</style>{''.join(parts)}"


def _join_lines(lines: Sequence[str]) -> list[str]:
    joined: list[str] = []
    for line in filter(None, map(str.strip, lines)):
        before = joined[-1] if joined else "."
        is_open = before[-1] not in ".!:?)-" and not _PAGE_END.fullmatch(line)
        goes_on = line[0].islower() or len(before) > _FULL_LINE or _UNFINISHED.search(before)
        if line[0] in ",.;:" or (is_open and goes_on):
            joined[-1:] = [f"{before}{'' if line[0] in ',.;:' else ' '}{line}"]
        else:
            joined.append(line)
    return joined


def read_questions(folder: Path) -> Iterator[LabelledAnswer]:
    """Yield the questions of the manuals, without those for yes or no."""
    with (folder / "s10_50_questions.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield LabelledAnswer(TELEPHONE, row["section_path"], row["question"], row["answer"])
    for path in sorted(folder.glob("[!Y]* Q&A/*.json")):
        fields: dict[str, str] = {}
        for name, value in _FIELD.findall(path.read_text(encoding="utf-8")):
            fields[name] = value
            if name == "Answer":
                yield LabelledAnswer(TELEVISION, fields["Section Hierarchy"], fields["Question"].strip(), value)


def compare(answer: str, labelled: str) -> tuple[float, float]:
    """Return precision and recall of the pairs of words, 0..1."""
    own, known = ({*pairwise(words)} for words in map(_words, (answer, labelled)))
    shared = len(own & known)
    return shared / max(len(own), 1), shared / max(len(known), 1)


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


async def answer(engine: SearchEngine, one: LabelledAnswer) -> str:
    """Return the answer to a question, empty if there is none."""
    question = parse_question(engine.analyze(one.question))
    request = AnswerRequest(question=one.question, documents=[one.document] if one.document else [])
    found = await retrieve(request, question, engine=engine, scope=SYSTEM_SCOPE)
    draft = await extract_answer(question, found, engine=engine, scope=SYSTEM_SCOPE)
    return " ".join(sentence.text for sentence in draft.sentences)


async def measure(
    files: Sequence[Path], groups: Mapping[str, Sequence[LabelledAnswer]], address: ThrowawayDatabase, *, cache: Path
) -> None:
    """Fill a library, ask, and print a line for each group of questions."""
    async with corpora.connect(address, cache, threads=2) as (database, provider):
        chunked = [await asyncio.to_thread(corpora.chunk_file, path, cache) for path in files]
        await corpora.fill(database, chunked, address, provider=provider, cache=cache)
        engine = SearchEngine(database, CachedQueries(provider), SearchSettings())
        for name, own in groups.items():
            report(name, [(one, await answer(engine, one)) for one in own])


def report(name: str, answered: Sequence[tuple[LabelledAnswer, str]]) -> None:
    """Print how many questions of a group are answered, and how well."""
    with_answer = [(one, text) for one, text in answered if one.answer]
    scores = [compare(text, one.answer) for one, text in with_answer if text]
    f1 = sum(2 * p * r / (p + r) for p, r in scores if p + r) / len(with_answer)
    precision, recall = (mean(score[place] for score in scores) for place in (0, 1))
    without = [text for one, text in answered if not one.answer]
    print(
        f"{name:16s} {len(with_answer):4d} questions, {len(scores):4d} answered,"
        f" {sum(score[0] >= _MIN_PRECISION for score in scores):4d} right   precision {precision:.3f}"
        f"   recall {recall:.3f}   F1 of all {f1:.3f}"
        f"   without an answer {len(without)}, {sum(map(bool, without))} answered",
        flush=True,
    )


def print_manuals(data: Path, out: Path, *, browser: str) -> None:
    """Print the manuals of EMQAP as PDFs."""
    out.mkdir(parents=True, exist_ok=True)
    for name, source, draw in (
        (TELEPHONE, "s10_manual_corpus.json", draw_telephone),
        (TELEVISION, "smart_tv_remote_manual_corpus.json", draw_television),
    ):
        sections = json.loads((data / source).read_text(encoding="utf-8"))
        print_pdf(draw(sections), (out / name).absolute(), browser=browser)


def group_by_language(lines: Sequence[str], half: str | None) -> dict[str, list[LabelledAnswer]]:
    """Return the questions of JSON lines, all of a half and by language."""
    rows = [row for row in map(json.loads, lines) if half in {None, row["half"]}]
    return {
        language: [
            LabelledAnswer("", row["id"], row["question"], row["answer"])
            for row in rows
            if language in {"all", row["language"]}
        ]
        for language in ["all", *sorted({row["language"] for row in rows})]
    }


def main() -> None:
    """Print the manuals or read the questions, and measure the answers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    emqap, library = commands.add_parser("emqap"), commands.add_parser("library")
    emqap.add_argument("data", type=Path)
    emqap.add_argument("out", type=Path)
    emqap.add_argument("--browser", default="chromium")
    library.add_argument("questions", type=Path)
    library.add_argument("folders", type=Path, nargs="+")
    for command in (emqap, library):
        command.add_argument("--half", choices=("tuning", "frozen"))
        command.add_argument("--cache", type=Path, default=corpora.DEFAULT_CACHE)
    arguments = parser.parse_args()
    if arguments.command == "emqap":
        print_manuals(arguments.data, arguments.out, browser=arguments.browser)
        files = [arguments.out / name for name in (TELEPHONE, TELEVISION)]
        asked = list(read_questions(arguments.data))
        groups = {
            TELEPHONE: [one for one in asked if one.document == TELEPHONE],
            TELEVISION: [one for one in asked if one.document == TELEVISION and arguments.half in {None, one.half}],
        }
    else:
        files = sorted(path for folder in arguments.folders for path in folder.iterdir() if path.is_file())
        groups = group_by_language(arguments.questions.read_text(encoding="utf-8").splitlines(), arguments.half)
    with fresh_library() as address:
        asyncio.run(measure(files, groups, address, cache=arguments.cache))


if __name__ == "__main__":
    main()
