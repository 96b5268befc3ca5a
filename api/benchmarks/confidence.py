"""Measure confidence, and fit the models that Lectern ships for it.

    python benchmarks/confidence.py collect OUT.json SET... [--answers]
    python benchmarks/confidence.py report OUT.json
    python benchmarks/confidence.py fit OUT.json src/lectern/search/ranking/confidence.json

SET is a folder as in `corpora.py`. Every set is a collection of one library. Each question is searched in its
collection and in the library, with and without the documents that answer it. With `--answers` it is answered, in its
collection only. `report` leaves out one set at a time, with all sets over the same documents. `fit` replaces the models
of the collected kinds of search.
"""

import asyncio
import json
import random
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import corpora
import numpy as np
import psycopg
from numpy.typing import NDArray
from ranking_data import bootstrap
from throwaway import ThrowawayDatabase, fresh_library

from lectern.answers.extractive.answer import extract_answer
from lectern.answers.questions import parse_question
from lectern.answers.retrieval import retrieve
from lectern.answers.schemas import AnswerRequest
from lectern.db.scope import Scope
from lectern.embeddings.cache import CachedQueries
from lectern.evaluation.relevance import has_place
from lectern.evaluation.runner import KeywordOnlyProvider
from lectern.evaluation.sets import LabelledQuestion, read_set
from lectern.search.ranking.confidence import (
    ANSWER_KIND,
    LOW_CONFIDENCE,
    SHIPPED,
    measure_answer_signals,
    measure_signals,
    name_kind,
)
from lectern.search.ranking.ranker import rank
from lectern.search.schemas import MAX_QUERY_CHARACTERS, SearchRequest
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings

Table = list[dict[str, Any]]
Values = NDArray[np.float64]

TRAINED_ON: Final = ("corpus-train", "squad_it", "xquad", "italian")
FAMILIES: Final = {
    "corpus-train": "corpus",
    "squad_it": "articles",
    "squad_it_more": "articles",
    "xquad": "articles",
    "mmlongbench": "reports",
    "mmlongbench_more": "reports",
}
# Limits for each set, because a larger one would outweigh the others.
MAX_ANSWERABLE, MAX_UNANSWERABLE, SEED = 330, 200, 7
DEPTH: Final = 20
HIDDEN: Final = uuid.UUID("00000000-0000-4000-8000-00000000c0f1")
# With this prior, a threshold of 0.3 gives 5 % false alarms on sets left out.
ANSWERED_SHARE: Final = 0.67
PENALTY: Final = 5.0
TOLERANCE: Final = 1e-8


def choose(questions: Sequence[LabelledQuestion]) -> list[LabelledQuestion]:
    """Draw the questions of a set with a fixed seed."""
    chance = random.Random(SEED)
    suitable = [one for one in questions if not one.is_about_document]
    parts = [[one for one in suitable if one.is_answerable is which] for which in (True, False)]
    for part in parts:
        chance.shuffle(part)
    return parts[0][:MAX_ANSWERABLE] + parts[1][:MAX_UNANSWERABLE]


async def ask(engine: SearchEngine, question: LabelledQuestion, scope: Scope) -> dict[str, Any]:
    """Search and return the signals, and the share and the label of each hit."""
    request = SearchRequest(query=question.text[:MAX_QUERY_CHARACTERS], rectangles=False)
    async with engine.database.session(scope) as session:
        candidates = await engine.find_candidates(session, request, scope=scope)
    ranked = rank(candidates.candidates, candidates.query, candidates.model)
    hits = [(one.share, candidates.chunks[one.candidate.chunk_id]) for one in ranked[:DEPTH]]
    labelled = [(share, has_place(question, chunk)) for share, chunk in hits]
    signals = measure_signals(ranked, candidates.query, similarity_range=engine.provider.info.similarity_range)
    return {"signals": signals, "hits": labelled}


async def answer(engine: SearchEngine, question: LabelledQuestion, scope: Scope) -> dict[str, Any] | None:
    """Answer and return the signals, or None if the search has no confidence."""
    parsed = parse_question(engine.analyze(question.text))
    request = AnswerRequest(question=question.text[:MAX_QUERY_CHARACTERS], save=False)
    retrieval = await retrieve(request, parsed, engine=engine, scope=scope)
    if retrieval.confidence is None:
        return None
    draft = await extract_answer(parsed, retrieval, engine=engine, scope=scope)
    return {
        "signals": measure_answer_signals(retrieval.confidence, draft.evidence or 0.0),
        "hits": [(hit.score, has_place(question, hit)) for hit in retrieval.all_hits],
        "is_answered": bool(draft.sentences),
    }


async def collect(
    engine: SearchEngine, folders: Sequence[Path], address: ThrowawayDatabase, *, is_for_answers: bool
) -> Table:
    """Ask every question with its documents, then without them."""
    rows: Table = []
    keyword_only = replace(engine, provider=KeywordOnlyProvider(engine.provider))
    every = frozenset(map(_collection, folders))
    for folder in folders:
        scopes = {"set": frozenset({_collection(folder)}), "library": every}
        questions = choose(read_set(folder))

        async def ask_all(
            part: Sequence[LabelledQuestion],
            *,
            is_present: bool,
            folder: Path = folder,
            scopes: Mapping[str, frozenset[uuid.UUID]] = scopes,
        ) -> None:
            for question in part:
                if is_for_answers:
                    row = await answer(engine, question, Scope(actor="system", collections=scopes["set"]))
                    if row:
                        rows.append(row | _labels(question, folder.name, "set", is_present=is_present))
                    continue
                for name, collections in scopes.items():
                    for used in (engine, keyword_only) if name == "library" else (engine,):
                        scope = Scope(actor="system", collections=collections)
                        row = await ask(used, question, scope)
                        rows.append(row | _labels(question, folder.name, name, is_present=is_present))

        await ask_all(questions, is_present=True)
        answerable = [one for one in questions if one.is_answerable]
        for documents in sorted({tuple(sorted(one.documents)) for one in answerable}):
            own = [one for one in answerable if tuple(sorted(one.documents)) == documents]
            _move(address, documents, HIDDEN)
            await ask_all(own, is_present=False)
            _move(address, documents, _collection(folder))
        print(f"  {folder.name}: {len(questions)} questions", flush=True)
    return rows


def _labels(question: LabelledQuestion, set_name: str, scope: str, *, is_present: bool) -> dict[str, Any]:
    return {
        "set": set_name,
        "id": question.id,
        "documents": sorted(question.documents),
        "language": question.language,
        "scope": scope,
        "is_written": not question.is_answerable,
        "is_present": is_present and question.is_answerable,
    }


def _collection(folder: Path) -> uuid.UUID:
    return uuid.uuid5(uuid.NAMESPACE_URL, folder.name)


def _move(address: ThrowawayDatabase, documents: Sequence[str], collection: uuid.UUID) -> None:
    with psycopg.connect(address.superuser_url) as connection:
        connection.execute(
            "UPDATE documents SET collection_id = %s WHERE filename = ANY (%s)", (collection, list(documents))
        )


async def measure(
    folders: Sequence[Path], address: ThrowawayDatabase, out: Path, cache: Path, *, is_for_answers: bool
) -> None:
    """Fill a library, collect the table and write it."""
    with psycopg.connect(address.superuser_url) as connection:
        for key, name in [(HIDDEN, "hidden"), *((_collection(folder), folder.name) for folder in folders)]:
            connection.execute("INSERT INTO collections (id, name) VALUES (%s, %s)", (key, name))
    async with corpora.connect(address, cache, threads=2) as (database, provider):
        for folder in folders:
            collection = _collection(folder)
            files = await asyncio.to_thread(corpora.chunk_sets, [folder], cache)
            await corpora.fill(database, files, address, provider=provider, cache=cache, collection=collection)
        engine = SearchEngine(database, CachedQueries(provider, size=5_000), SearchSettings())
        rows = await collect(engine, folders, address, is_for_answers=is_for_answers)
    await asyncio.to_thread(out.write_text, json.dumps(rows), encoding="utf-8")


def family(row: Mapping[str, Any]) -> str:
    """Return the name of all sets over the same documents."""
    name = str(row["set"])
    return FAMILIES.get(name, name)


def matrix(rows: Table, names: Sequence[str]) -> Values:
    """Return the signals of searches, (n, len(names))."""
    return np.array([[row["signals"][name] for name in names] for row in rows], np.float64)


def has_answering_hit(row: Mapping[str, Any]) -> bool:
    """Return True if a hit has the evidence."""
    return bool(row["is_present"]) and any(label for _, label in row["hits"])


def weigh(rows: Table, answered: Values) -> Values:
    """Return weights: a family of sets counts by the root of its size, and both outcomes by their share."""
    keys = [(family(row), bool(outcome)) for row, outcome in zip(rows, answered, strict=True)]
    weights = np.array([keys.count(key) ** -0.5 for key in keys])
    for outcome, share in ((1.0, ANSWERED_SHARE), (0.0, 1 - ANSWERED_SHARE)):
        weights[answered == outcome] *= len(rows) * share / weights[answered == outcome].sum()
    return weights


def fit_logistic(values: Values, outcomes: Values, weights: Values) -> tuple[float, Values]:
    """Return the bias and the weights of a logistic model, by Newton's method with a ridge penalty.

    A signal with a negative weight is left out, because more of a signal must not lower the probability.
    """
    used = list(range(values.shape[1]))
    while True:
        centre, spread = values[:, used].mean(axis=0), values[:, used].std(axis=0) + 1e-9
        design = np.column_stack([np.ones(len(values)), (values[:, used] - centre) / spread])
        fitted, ridge = np.zeros(design.shape[1]), PENALTY * np.eye(design.shape[1])
        ridge[0, 0] = 0.0
        for _ in range(100):
            predicted = 1 / (1 + np.exp(-(design @ fitted)))
            curvature = (design * (weights * predicted * (1 - predicted))[:, None]).T @ design + ridge
            step = np.linalg.solve(curvature, design.T @ (weights * (predicted - outcomes)) + ridge @ fitted)
            fitted -= np.clip(step, -1, 1)
            if np.abs(step).max() < TOLERANCE:
                break
        negative = [place for place, value in zip(used, fitted[1:], strict=True) if value < 0]
        if not negative:
            break
        used = [place for place in used if place != min(negative, key=lambda place: fitted[1 + used.index(place)])]
    whole = np.zeros(values.shape[1])
    whole[used] = fitted[1:] / spread
    return float(fitted[0] - (whole[used] * centre).sum()), whole


def fit(rows: Table, names: Sequence[str]) -> dict[str, Any]:
    """Fit the model of a search and the model of a hit."""
    outcomes = np.array([float(has_answering_hit(row)) for row in rows])
    bias, weights = fit_logistic(_signed(matrix(rows, names), names), outcomes, weigh(rows, outcomes))
    model = {"bias": bias, "weights": {n: float(w) * _sign(n) for n, w in zip(names, weights, strict=True) if w}}
    logits = predict(model, rows)
    hits = [
        (np.clip(logit, -4.6, 4.6), np.log(max(share, 1e-6)), float(label and row["is_present"]), weight)
        for row, logit, weight in zip(rows, logits, weigh(rows, outcomes), strict=True)
        for share, label in row["hits"]
    ]
    table = np.array(hits)
    hit_bias, hit_weights = fit_logistic(table[:, :2], table[:, 2], table[:, 3])
    return model | {"hit": [hit_bias, *map(float, hit_weights)]}


def _sign(name: str) -> int:
    return -1 if name == "words.missing_numbers" else 1


def _signed(values: Values, names: Sequence[str]) -> Values:
    return values * np.array([_sign(name) for name in names])


def predict(model: Mapping[str, Any], rows: Table) -> Values:
    """Return the log-odds of searches."""
    names = list(model["weights"])
    return model["bias"] + matrix(rows, names) @ np.array([model["weights"][name] for name in names])


def area(scores: Values, outcomes: NDArray[np.bool_]) -> float:
    """Return the area under the ROC curve."""
    _, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    positive = int(outcomes.sum())
    return float((ranks[outcomes].sum() - positive * (positive + 1) / 2) / (positive * (len(outcomes) - positive)))


def calibration_error(probabilities: Values, outcomes: NDArray[np.bool_], weights: Values) -> float:
    """Return the mean difference between probability and share of answered searches, over ten bins."""
    bins = np.minimum((probabilities * 10).astype(int), 9)
    differences = weights * (probabilities - outcomes)
    return float(sum(abs(differences[bins == one].sum()) for one in range(10)) / weights.sum())


def held_out(rows: Table, names: Sequence[str]) -> Iterator[tuple[str, Table, dict[str, Any]]]:
    """Yield each set with a model that has seen neither it nor any set over the same documents."""
    for name in dict.fromkeys(row["set"] for row in rows):
        tested = [row for row in rows if row["set"] == name]
        left = [row for row in rows if row["set"] in TRAINED_ON and family(row) != family(tested[0])]
        yield name, tested, fit(left, names)


def report(rows: Table, names: Sequence[str]) -> None:
    """Print how well a model trained without the set distinguishes searches with an answer from the others."""
    heads = "set, with and without answer, area, at 5 %: without, written, low: with, low: without, written, error"
    print("|", " | ".join([*heads.split(", "), "Brier", "5th hit"]), "|\n" + "|---" * 11 + "|")
    for name, tested, model in held_out(rows, names):
        print(f"| {name} | {_line(tested, 1 / (1 + np.exp(-predict(model, tested))), model)} |")


def _line(rows: Table, probabilities: Values, model: Mapping[str, Any]) -> str:
    present = np.array([bool(row["is_present"]) for row in rows])
    written = np.array([bool(row["is_written"]) for row in rows])
    found = np.array([has_answering_hit(row) for row in rows])
    low = (probabilities < LOW_CONFIDENCE) & np.array([not row.get("is_answered") for row in rows])
    weights = weigh(rows, found.astype(np.float64))
    owners = [str(row["documents"] or row["id"]) for row in rows]

    def share(mask: NDArray[np.bool_]) -> str:
        if not mask.any():
            return "-"
        own = [owner for owner, is_own in zip(owners, mask, strict=True) if is_own]
        lower, upper = bootstrap(low[mask].astype(float), own, seed=SEED)
        return f"{low[mask].mean():.2f} ({lower:.2f}-{upper:.2f})"

    fifth = [
        _hit_probability(model, p, row["hits"][4][0])
        for row, p in zip(rows, probabilities, strict=True)
        if len(row["hits"]) > 4 and not (row["hits"][4][1] and row["is_present"])
    ]
    error = calibration_error(probabilities, found, weights)
    brier = float((weights * (probabilities - found) ** 2).sum() / weights.sum())
    cells = [
        f"{present.sum()}, {(~present).sum()}",
        f"{area(probabilities, present):.3f}",
        *(_recall_at_5(probabilities, present, mask) for mask in (~present & ~written, written)),
        share(present),
        share(~present & ~written),
        share(written),
        f"{error:.3f}",
        f"{brier:.3f}",
        f"{np.mean(fifth):.2f}, {np.quantile(fifth, 0.9):.2f}" if fifth else "-",
    ]
    return " | ".join(cells)


def _recall_at_5(probabilities: Values, present: NDArray[np.bool_], absent: NDArray[np.bool_]) -> str:
    if not absent.any():
        return "-"
    return f"{np.mean(probabilities[absent] < np.quantile(probabilities[present], 0.05)):.2f}"


def _hit_probability(model: Mapping[str, Any], confidence: float, share: float) -> float:
    bias, by_confidence, by_share = model["hit"]
    logit = float(np.clip(np.log(confidence / (1 - confidence)), -4.6, 4.6))
    return float(1 / (1 + np.exp(-(bias + by_confidence * logit + by_share * np.log(max(share, 1e-6))))))


def split(rows: Table) -> Iterator[tuple[str, Table]]:
    """Yield the kinds of search with their rows. A search with both arms also counts as one with fewer signals."""
    for kind in ("ranking+similarity+words", "ranking+words", "similarity+words", "similarity", "words", ANSWER_KIND):
        wanted = set(kind.split("+"))
        own = [
            row | {"signals": {name: value for name, value in row["signals"].items() if _group(name) in wanted}}
            for row in rows
            if wanted <= set(map(_group, row["signals"]))
            and (kind == "words") == (name_kind(row["signals"]) == "words")
        ]
        if own:
            yield kind, own


def _group(name: str) -> str:
    return name.partition(".")[0]


def main() -> None:
    """Run the action of the arguments."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("action", choices=["collect", "report", "fit"])
    parser.add_argument("table", type=Path)
    parser.add_argument("more", nargs="*", type=Path, help="the sets, or the file to write")
    parser.add_argument("--answers", action="store_true", help="answer the questions instead of only searching")
    parser.add_argument("--without", nargs="*", default=[], help="signals to leave out")
    arguments = parser.parse_args()
    if arguments.action == "collect":
        out, cache = arguments.table, arguments.cache
        with fresh_library() as address:
            asyncio.run(measure(arguments.more, address, out, cache, is_for_answers=arguments.answers))
        return
    rows: Table = json.loads(arguments.table.read_text(encoding="utf-8"))
    kinds: dict[str, Any] = {}
    for kind, own in split(rows):
        names = [name for name in own[0]["signals"] if name not in arguments.without]
        if arguments.action == "fit":
            kinds[kind] = fit([row for row in own if row["set"] in TRAINED_ON], names)
            continue
        for scope in dict.fromkeys(row["scope"] for row in own):
            print(f"\n## {kind}, in the {scope}\n")
            report([row for row in own if row["scope"] == scope], names)
    if kinds:
        kinds.get(ANSWER_KIND, {}).pop("hit", None)
        kinds = json.loads(SHIPPED.read_text(encoding="utf-8"))["kinds"] | kinds
        content = {"trained_on": sorted(TRAINED_ON), "answered_share": ANSWERED_SHARE, "kinds": kinds}
        arguments.more[0].write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
