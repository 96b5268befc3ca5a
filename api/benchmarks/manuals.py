"""Measure how completely questions about manuals are answered without a chat endpoint.

    python benchmarks/manuals.py DATA OUT [--half tuning|frozen] [--browser chromium]

DATA is the folder `data` of EMQAP, with `smart_remote_QA.zip` unpacked in it. OUT gets the manuals of a telephone and
of a television as PDFs. Each question is asked of its manual. The television's sections are cut into two halves.
Precision is the share of an answer's pairs of words that the labelled text has, recall the reverse, 0..1.
"""

import argparse
import asyncio
import csv
import hashlib
import html
import json
import re
from collections.abc import Iterator, Sequence
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


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """A question with the text that answers it, and the section of it."""

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
    """Return the answer to a question from its document, empty if there is none."""
    question = parse_question(engine.analyze(one.question))
    request = AnswerRequest(question=one.question, documents=[one.document])
    found = await retrieve(request, question, engine=engine, scope=SYSTEM_SCOPE)
    draft = await extract_answer(question, found, engine=engine, scope=SYSTEM_SCOPE)
    return " ".join(sentence.text for sentence in draft.sentences)


async def measure(out: Path, asked: Sequence[LabelledAnswer], address: ThrowawayDatabase, *, cache: Path) -> None:
    """Fill a library with the manuals, ask, and print a line for each manual."""
    async with corpora.connect(address, cache, threads=2) as (database, provider):
        files = [await asyncio.to_thread(corpora.chunk_file, out / name, cache) for name in (TELEPHONE, TELEVISION)]
        await corpora.fill(database, files, address, provider=provider, cache=cache)
        engine = SearchEngine(database, CachedQueries(provider), SearchSettings())
        for name in (TELEPHONE, TELEVISION):
            own = [one for one in asked if one.document == name]
            texts = [await answer(engine, one) for one in own]
            scores = [compare(text, one.answer) for text, one in zip(texts, own, strict=True) if text]
            f1 = sum(2 * p * r / (p + r) for p, r in scores if p + r) / len(own)
            precision, recall = (mean(score[place] for score in scores) for place in (0, 1))
            print(
                f"{name:16s} {len(own):4d} questions, {len(scores):4d} answered"
                f"   precision {precision:.3f}   recall {recall:.3f}   F1 of all {f1:.3f}",
                flush=True,
            )


def main() -> None:
    """Print the manuals and measure the answers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--half", choices=("tuning", "frozen"))
    parser.add_argument("--browser", default="chromium")
    parser.add_argument("--cache", type=Path, default=corpora.DEFAULT_CACHE)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, source, draw in (
        (TELEPHONE, "s10_manual_corpus.json", draw_telephone),
        (TELEVISION, "smart_tv_remote_manual_corpus.json", draw_television),
    ):
        sections = json.loads((arguments.data / source).read_text(encoding="utf-8"))
        print_pdf(draw(sections), (arguments.out / name).absolute(), browser=arguments.browser)
    asked = [
        one for one in read_questions(arguments.data) if one.document == TELEPHONE or arguments.half in {None, one.half}
    ]
    with fresh_library() as address:
        asyncio.run(measure(arguments.out, asked, address, cache=arguments.cache))


if __name__ == "__main__":
    main()
