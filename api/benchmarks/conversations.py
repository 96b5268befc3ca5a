"""Measure how often follow-up questions of MTRAG and MTRAG-UN find and quote their passages.

    python benchmarks/conversations.py DATA OUT [--half tuning|frozen]

DATA is a checkout of IBM's mt-rag-benchmark. OUT gets its passages that have a text, one file for each. The
conversations are cut into two halves by their first question. A question is found if a relevant passage is among the
first five. People rewrote the questions of MTRAG, whose conversations have no answers.
"""

import asyncio
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any, Final

import corpora
from throwaway import ThrowawayDatabase, fresh_library

from lectern.answers.extractive.answer import extract_answer
from lectern.answers.follow_ups.rewriting import rewrite_by_rule
from lectern.answers.follow_ups.threads import Turn
from lectern.answers.questions import parse_question
from lectern.answers.retrieval import RetrievalResult, retrieve
from lectern.answers.schemas import AnswerRequest
from lectern.answers.text_analysis import content_words
from lectern.db.scope import SYSTEM_SCOPE
from lectern.embeddings.cache import CachedQueries
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings

FIRST: Final = 5
_DOMAINS: Final = ("clapnq", "cloud", "fiqa", "govt")
_USER: Final = "|user|:"
_ANSWERABLE: Final = {"ANSWERABLE", "PARTIAL"}
_MAX_CHARACTERS: Final = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class LastQuestion:
    """The last question of a conversation, with the turns before it and the files of its relevant passages."""

    set: str
    label: str
    turns: tuple[Turn, ...]
    text: str
    files: frozenset[str]
    rewritten_by_people: str | None = None

    @property
    def half(self) -> str:
        """The half that the conversation is in."""
        first = self.turns[0].question if self.turns else self.text
        words = " ".join(re.findall(r"\w+", first.lower()))
        return "tuning" if int(hashlib.md5(words.encode()).hexdigest(), 16) % 2 else "frozen"

    @property
    def needs_conversation(self) -> bool:
        """True if people added words of the conversation."""
        said = {word for turn in self.turns for word in content_words(turn.question)}
        return not said.isdisjoint({*content_words(self.rewritten_by_people or "")} - {*content_words(self.text)})

    @property
    def rewritten_by_rule(self) -> str:
        """The question as it is answered. The questions before it are rewritten too."""
        done: list[Turn] = []
        for turn in (*self.turns, Turn(question=self.text)):
            asked = rewrite_by_rule(turn.question, done) if done else turn.question
            done.append(Turn(question=asked, answer=turn.answer))
        return done[-1].question


def read_passages(data: Path) -> dict[str, str]:
    """Return the text of each passage by its id."""
    evaluated = data / "mtrag-human/evaluations/reference_subset_with_human_evaluations.json"
    documents = [one for row in _lines(_reference(data)) for one in row["contexts"]]
    documents += json.loads(evaluated.read_text(encoding="utf-8"))["documents"]
    return {one["document_id"]: one["text"].strip() for one in documents}


def _reference(data: Path) -> Path:
    return data / "mtragun-human/generation_tasks/reference.jsonl"


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def read_mtrag_un(data: Path, files: Mapping[str, str]) -> Iterator[LastQuestion]:
    """Yield the last questions of the conversations of MTRAG-UN."""
    for row in _lines(_reference(data)):
        *before, last = row["input"]
        yield LastQuestion(
            set="MTRAG-UN",
            label=row["answerability"][0],
            turns=tuple(_pair(before)),
            text=last["text"].strip(),
            files=frozenset(files[one["document_id"]] for one in row["contexts"]),
        )


def _pair(messages: Iterable[Mapping[str, str]]) -> Iterator[Turn]:
    question = ""
    for message in messages:
        if message["speaker"] == "user":
            question = message["text"].strip()
        else:
            yield Turn(question=question, answer=message["text"].strip())


def read_mtrag(data: Path, files: Mapping[str, str]) -> Iterator[LastQuestion]:
    """Yield the questions of MTRAG. Without the text of a relevant passage, a question has no files."""
    for domain in _DOMAINS:
        folder = data / "mtrag-human/retrieval_tasks" / domain
        rewritten = {row["_id"]: row["text"].removeprefix(_USER) for row in _lines(folder / f"{domain}_rewrite.jsonl")}
        passages: dict[str, set[str]] = {}
        for line in (folder / "qrels/dev.tsv").read_text(encoding="utf-8").splitlines()[1:]:
            task, passage, _ = line.split("\t")
            passages.setdefault(task, set()).add(passage)
        for row in _lines(folder / f"{domain}_questions.jsonl"):
            *before, text = (part.strip() for part in row["text"].split(_USER)[1:])
            relevant = passages[row["_id"]]
            yield LastQuestion(
                set="MTRAG",
                label="ANSWERABLE",
                turns=tuple(Turn(question=question) for question in before),
                text=text,
                files=frozenset(map(files.__getitem__, relevant)) if relevant <= set(files) else frozenset(),
                rewritten_by_people=rewritten[row["_id"]].strip(),
            )


def list_wordings(one: LastQuestion) -> dict[str, str]:
    """Return what is asked, by the name of the wording."""
    wordings = {
        "as it is": one.text,
        "by rule": one.rewritten_by_rule,
        "all questions": " ".join([*(turn.question for turn in one.turns), one.text]),
    }
    return wordings | ({"by people": one.rewritten_by_people} if one.rewritten_by_people else {})


async def search(engine: SearchEngine, text: str) -> RetrievalResult:
    """Return the passages for a question."""
    request, question = AnswerRequest(question=text), parse_question(engine.analyze(text))
    return await retrieve(request, question, engine=engine, scope=SYSTEM_SCOPE)


async def read_outcome(engine: SearchEngine, one: LastQuestion) -> str:
    """Return the outcome of a question, rewritten by rule."""
    text = one.rewritten_by_rule
    found = await search(engine, text)
    draft = await extract_answer(parse_question(engine.analyze(text)), found, engine=engine, scope=SYSTEM_SCOPE)
    if not draft.sentences:
        return found.outcome_without_answer(draft.confidence)
    return "answered from a relevant passage" if draft.citations[0].document in one.files else "answered from another"


async def measure_retrieval(engine: SearchEngine, questions: Sequence[LastQuestion]) -> None:
    """Print for each set and wording how many questions are found, and the share of their passages, 0..1."""
    results: dict[tuple[str, str], list[float]] = {}
    for one in questions:
        for name, text in list_wordings(one).items():
            found = await search(engine, text[-_MAX_CHARACTERS:])
            first = list(dict.fromkeys(hit.document for hit in found.hits))[:FIRST]
            results.setdefault((one.set, name), []).append(len(one.files.intersection(first)) / len(one.files))
    for (name, wording), shares in results.items():
        count = sum(map(bool, shares))
        print(f"{name:9s} {wording:14s} {count:4d} of {len(shares):4d} found   share of passages {mean(shares):.3f}")


def print_decisions(questions: Iterable[LastQuestion]) -> None:
    """Print how many of the questions that people rewrote are rewritten by rule."""
    decisions = Counter((one.needs_conversation, one.rewritten_by_rule != one.text) for one in questions)
    for needs_conversation, name in ((True, "needs the conversation"), (False, "stands alone")):
        rewritten, left = (decisions[needs_conversation, is_rewritten] for is_rewritten in (True, False))
        print(f"{name:23s} {rewritten:4d} rewritten, {left:4d} left alone")


async def measure(
    files: Sequence[Path], questions: Sequence[LastQuestion], address: ThrowawayDatabase, *, cache: Path
) -> None:
    """Fill a library and ask the questions."""
    async with corpora.connect(address, cache, threads=2) as (database, provider):
        chunked = [await asyncio.to_thread(corpora.chunk_file, path, cache) for path in files]
        await corpora.fill(database, chunked, address, provider=provider, cache=cache)
        engine = SearchEngine(database, CachedQueries(provider), SearchSettings())
        asked = [one for one in questions if one.turns and one.files and one.label in _ANSWERABLE]
        await measure_retrieval(engine, asked)
        outcomes: Counter[tuple[str, str, str]] = Counter()
        for one in [*asked, *(one for one in questions if one.label not in _ANSWERABLE)]:
            outcomes[one.set, one.label, await read_outcome(engine, one)] += 1
        for (name, label, outcome), count in sorted(outcomes.items()):
            print(f"{name:9s} {label:15s} {outcome:33s} {count:4d}")


def main() -> None:
    """Read the conversations and measure those of a half."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--half", choices=("tuning", "frozen"))
    arguments = parser.parse_args()
    passages = read_passages(arguments.data)
    names = {text: f"{name}.txt" for name, text in reversed(passages.items())}  # a few texts have two ids
    arguments.out.mkdir(parents=True, exist_ok=True)
    for text, name in names.items():
        (arguments.out / name).write_text(text, encoding="utf-8")
    files = {passage: names[text] for passage, text in passages.items()}
    questions = [*read_mtrag_un(arguments.data, files), *read_mtrag(arguments.data, files)]
    questions = [one for one in questions if arguments.half in {None, one.half}]
    print_decisions(one for one in questions if one.turns and one.rewritten_by_people)
    paths = [arguments.out / name for name in names.values()]
    with fresh_library() as address:
        asyncio.run(measure(paths, questions, address, cache=arguments.cache))


if __name__ == "__main__":
    main()
