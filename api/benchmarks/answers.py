"""Collect features of sentences on labelled sets, and fit the tables that choose an answer or none.

    python benchmarks/answers.py collect SET... --rows FILE [--samples ../test-docs] [--translations FILE] [--cache DIR]
    python benchmarks/answers.py fit FILE [--threshold P]

`collect` asks every question of a set twice: in the whole library of the set, and in the library without the document
of the question, where it has no answer. Questions without an answer are asked once. `fit` prints the tables of
`answers/extractive/scoring.py` and, for each set, the result of tables fitted on the other sets. `--translations` are
JSON lines {id, question}, asked in addition to the questions of the sets.

A sentence is right if it is on a page of the evidence and has the labelled answer: its numbers, or half of its words if
it has none.
"""

import argparse
import asyncio
import json
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import corpora
import numpy as np
from throwaway import ThrowawayDatabase, throwaway_postgres

from lectern.answers.entities import is_foreign
from lectern.answers.extractive.scoring import PREFERENCE, SAME_LANGUAGE, Candidate, score_sentences
from lectern.answers.questions import Question, parse_question
from lectern.answers.retrieval import retrieve
from lectern.answers.schemas import AnswerRequest
from lectern.answers.text_analysis import content_words, numbers
from lectern.db.engine import create_engine
from lectern.db.migrations.runner import migrate
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.embeddings.registry import create_provider
from lectern.search.service import SearchEngine
from lectern.settings import EmbeddingsSettings, SearchSettings

MAX_DOCUMENTS = 100  # that a request may name
RIDGE = 1.0
ROUNDS = 60


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its label and the documents of its search."""

    set_name: str
    id: str
    text: str
    document: str
    pages: frozenset[int]
    answer: str
    is_answerable: bool
    documents: tuple[str, ...]


def read_asked(folder: Path, translations: Mapping[str, str]) -> Iterator[Asked]:
    """Yield every question with and without its document, each also in its translation."""
    for asked in _read_set(folder):
        yield asked
        other = translations.get(asked.id.removesuffix("-without"))
        if other is not None:
            yield replace(asked, id=asked.id + "-translated", text=other)


def _read_set(folder: Path) -> Iterator[Asked]:
    names = [path.name for path in corpora.list_files(folder)]
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in rows:
        document = Path(row.get("document") or row.get("doc") or "").name
        is_answerable = row.get("answerable", row.get("is_answerable", True))
        answer = str(row.get("answer") or "")
        pages = frozenset(row.get("pages") or row.get("evidence_pages") or [])
        made = Asked(folder.name, row["id"], row["question"], document, pages, answer, is_answerable, ())
        yield made
        siblings = {other.get("document") for other in rows if other.get("family") == row.get("family")}
        others = sorted((name for name in names if name != document), key=lambda name: name not in siblings)
        if is_answerable and others:
            rest = {"document": "", "pages": frozenset[int](), "answer": "", "is_answerable": False}
            yield replace(made, id=made.id + "-without", documents=tuple(others[:MAX_DOCUMENTS]), **rest)


def samples_as_set(folder: Path, cache: Path) -> Path:
    """Create a set of the PDFs among the sample documents and of the questions about them."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    made = cache / "samples"
    (made / "pdfs").mkdir(parents=True, exist_ok=True)
    for entry in manifest["documents"]:
        link = made / "pdfs" / Path(entry["file"]).name
        if entry["has_text"] and link.suffix == ".pdf" and not link.exists():
            link.symlink_to((folder / entry["file"]).resolve())
    there = {path.name for path in (made / "pdfs").glob("*.pdf")}
    rows = [
        {**row, "doc": Path(row.get("file") or "").name, "evidence_pages": row.get("pages")}
        for row in manifest["questions"]
        if not row["is_answerable"] or Path(row["file"]).name in there
    ]
    (made / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return made


def is_right(asked: Asked, candidate: Candidate) -> bool:
    """Return True if the sentence is on a page of the evidence and has the answer."""
    hit = candidate.hit
    if not asked.is_answerable or hit.document != asked.document:
        return False
    if asked.pages and not asked.pages & set(range(hit.page_number, hit.last_page_number + 1)):
        return False
    wanted = numbers(asked.answer)
    if wanted:
        return wanted <= numbers(candidate.text)
    words = set(content_words(asked.answer))
    return bool(words) and 2 * len(words & set(content_words(candidate.text))) >= len(words)


async def ask(asked: Asked, engine: SearchEngine) -> dict[str, Any]:
    """Return the row of a question with its candidates and their features."""
    question = parse_question(engine.analyze(asked.text))
    request = AnswerRequest(question=asked.text[:4000], documents=list(asked.documents))
    begun = time.perf_counter()
    found = await retrieve(request, question, engine=engine, scope=SYSTEM_SCOPE)
    candidates = await score_sentences(question, found.hits, provider=engine.provider)
    return {
        "set": asked.set_name,
        "id": asked.id,
        "question": asked.text,
        "is_answerable": asked.is_answerable,
        "seconds": round(time.perf_counter() - begun, 3),
        "candidates": [_candidate(asked, question, one) for one in candidates],
    }


def _candidate(asked: Asked, question: Question, one: Candidate) -> dict[str, Any]:
    return {
        "features": [one.features[name] for name in PREFERENCE],
        "is_foreign": is_foreign(question, one.hit),
        "is_right": is_right(asked, one),
        "text": one.text,
        "place": f"{one.hit.document}:{one.hit.page_number}",
    }


async def collect(
    folder: Path, address: ThrowawayDatabase, *, cache: Path, translations: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return the rows of a set."""
    database = Database(create_engine(address.service_url, statement_timeout_seconds=600))
    provider = create_provider(EmbeddingsSettings(), model_dir=cache / "models")
    files = await asyncio.to_thread(corpora.chunk_sets, [folder], cache)
    await corpora.fill(database, files, address, provider=provider, cache=cache)
    engine = SearchEngine(database, provider, SearchSettings())
    rows: list[dict[str, Any]] = []
    for asked in read_asked(folder, translations):
        rows.append(await ask(asked, engine))
        print(f"\r{folder.name} {len(rows)}", end="", flush=True)
    await provider.close()
    await database.dispose()
    return rows


@dataclass(frozen=True, slots=True)
class Fitted:
    """The weights of the features, and the intercept and weights of the signals of confidence in the best sentence.

    The latter are by language of the sentence: False for the question's language, True for another one.
    """

    preference: np.ndarray
    signals: tuple[str, ...]
    sureness: Mapping[bool, np.ndarray]

    def choose(self, row: Mapping[str, Any], names: Sequence[str]) -> tuple[float, Mapping[str, Any]] | None:
        """Return the preferred candidate with its probability."""
        if not row["candidates"]:
            return None
        best, values = measure(row, self.preference, names)
        intercept, *weights = self.sureness[best["is_foreign"]]
        total = intercept + sum(values[name] * weight for name, weight in zip(self.signals, weights, strict=True))
        return float(1 / (1 + np.exp(-total))), best


def measure(
    row: Mapping[str, Any], preference: np.ndarray, names: Sequence[str]
) -> tuple[Mapping[str, Any], dict[str, float]]:
    """Return the preferred candidate of a question, and its signals: features, preference and share of the softmax."""
    totals = np.array([one["features"] for one in row["candidates"]]) @ preference
    best = row["candidates"][int(totals.argmax())]
    odds = np.exp(totals - totals.max())
    same = sum(value for value, one in zip(odds, row["candidates"], strict=True) if one["text"] == best["text"])
    own = dict(zip(names, best["features"], strict=True))
    return best, {**own, "preference": float(totals.max()), "share": float(np.log(same / odds.sum()))}


def fit(rows: Sequence[Mapping[str, Any]], names: Sequence[str], signals: tuple[str, ...]) -> Fitted:
    """Fit the preference among the sentences of a question, then the confidence in the preferred one."""
    preference = _pick(rows)
    measured = [measure(row, preference, names) for row in rows if row["candidates"]]
    sureness: dict[bool, np.ndarray] = {}
    for is_other in (False, True):
        own = [(best, values) for best, values in measured if best["is_foreign"] is is_other]
        inputs = np.array([[1.0, *(values[name] for name in signals)] for _, values in own])
        right = np.array([float(best["is_right"]) for best, _ in own])
        sureness[is_other] = _newton(inputs.reshape(-1, 1 + len(signals)), right)
    return Fitted(preference, signals, sureness)


def _pick(rows: Sequence[Mapping[str, Any]]) -> np.ndarray:
    """Return the weights that maximise the likelihood of drawing a right sentence by softmax, by Newton's method."""
    groups = [
        tuple(np.array([one[key] for one in row["candidates"]]) for key in ("features", "is_right"))
        for row in rows
        if row["is_answerable"] and len({one["is_right"] for one in row["candidates"]}) > 1
    ]
    weights = np.zeros(groups[0][0].shape[1])
    for _ in range(ROUNDS):
        slope, curve = -RIDGE * weights, RIDGE * np.eye(len(weights))
        for inputs, right in groups:
            drawn = inputs @ weights
            share = np.exp(drawn - drawn.max())
            share /= share.sum()
            among = share * right
            slope += (among / among.sum() - share) @ inputs
            curve += (inputs.T * share) @ inputs - np.outer(share @ inputs, share @ inputs)
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def _newton(inputs: np.ndarray, right: np.ndarray) -> np.ndarray:
    weights = np.zeros(inputs.shape[1])
    ridge = RIDGE * np.eye(len(weights))
    ridge[0, 0] = 0.0
    for _ in range(ROUNDS):
        said = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (right - said) - ridge @ weights
        curve = (inputs.T * (said * (1 - said))) @ inputs + ridge
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def report(
    name: str, rows: Sequence[Mapping[str, Any]], fitted: Fitted, names: Sequence[str], *, threshold: float
) -> str:
    """Return a row of the published table."""
    answerable = absent = answered = right = wrong = said_absent = rightly_absent = 0
    for row in rows:
        found = fitted.choose(row, names)
        is_answered = found is not None and found[0] >= threshold
        answerable += row["is_answerable"]
        absent += not row["is_answerable"]
        answered += is_answered
        said_absent += not is_answered
        rightly_absent += not is_answered and not row["is_answerable"]
        right += is_answered and found is not None and found[1]["is_right"]
        wrong += is_answered and not row["is_answerable"]

    def share(part: int, whole: int) -> str:
        return f"{part / whole:.2f}" if whole else "-"

    return (
        f"| {name} | {answerable} | {absent} | {share(rightly_absent, said_absent)} | {share(rightly_absent, absent)} "
        f"| {share(answered - wrong, answerable)} | {share(right, answered)} | {share(right, answerable)} |"
    )


def print_fit(
    rows: Sequence[Mapping[str, Any]], threshold: float, names: Sequence[str], signals: tuple[str, ...]
) -> None:
    """Print the table fitted on all sets, and the measures of each set by a table that has not seen it."""
    sets = sorted({row["set"] for row in rows})
    print("| set | answerable | absent | abstention precision | recall | answered | of answers right | found right |")
    print("|---|---|---|---|---|---|---|---|")
    for name in sets:
        others = fit([row for row in rows if row["set"] != name], names, signals)
        print(report(name, [row for row in rows if row["set"] == name], others, names, threshold=threshold))
    fitted = fit(rows, names, signals)
    print(report("all, fitted on all", rows, fitted, names, threshold=threshold))
    for value in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        print(report(f"all at {value}", rows, fitted, names, threshold=value))
    print({name: round(float(value), 2) for name, value in zip(names, fitted.preference, strict=True)})
    for is_other, weights in fitted.sureness.items():
        print("another language" if is_other else "the question's language")
        print({name: round(float(value), 2) for name, value in zip(("intercept", *signals), weights, strict=True)})


def main() -> None:
    """Run the command of the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    collecting = commands.add_parser("collect")
    collecting.add_argument("sets", nargs="+", type=Path)
    collecting.add_argument("--samples", type=Path)
    collecting.add_argument("--translations", type=Path)
    collecting.add_argument("--rows", type=Path, required=True)
    collecting.add_argument("--cache", type=Path, default=corpora.DEFAULT_CACHE)
    fitting = commands.add_parser("fit")
    fitting.add_argument("rows", type=Path)
    fitting.add_argument("--threshold", type=float, default=0.5)
    arguments = parser.parse_args()
    if arguments.command == "fit":
        lines = arguments.rows.read_text(encoding="utf-8").splitlines()
        print_fit(list(map(json.loads, lines)), arguments.threshold, tuple(PREFERENCE), tuple(SAME_LANGUAGE.weights))
        return
    logging.getLogger("lectern.search").setLevel(logging.ERROR)
    written = arguments.translations.read_text(encoding="utf-8") if arguments.translations else ""
    translations = {row["id"]: row["question"] for row in map(json.loads, written.splitlines())}
    folders = [*([samples_as_set(arguments.samples, arguments.cache)] if arguments.samples else []), *arguments.sets]
    with throwaway_postgres() as server, arguments.rows.open("a", encoding="utf-8") as file:
        server.prepare_template(migrate)
        for folder in folders:
            with server.fresh_database() as address:
                for row in asyncio.run(collect(folder, address, cache=arguments.cache, translations=translations)):
                    file.write(json.dumps(row) + "\n")
                file.flush()


if __name__ == "__main__":
    main()
