"""Measure how many right and wrong statements by other people verification accepts.

    python benchmarks/statements.py SET DATA [--half tuning|frozen]

DATA is a checkout of the repository of SET. Each set is cut into two halves.

- `tabfact` (Table-Fact-Checking): 600 pairs of a right and a wrong statement about a table of Wikipedia. The set is in
  lower case: words of cells and titles get capitals again.
- `foolmetwice` (fool-me-twice, `dataset/dev.jsonl`): claims that were written to mislead players, with their evidence.
- `wice` (wice, claims of `dev.jsonl`): sentences of Wikipedia and the pages that they cite. The evidence are the
  supporting sentences and their neighbours, or the first 60 sentences. Claims supported in part are counted apart.
- `attribution` (AttributionBench): sentences of generated answers with the text that they cite. The tuning half is its
  development file, the other one both test files.
- `mtrag` (mt-rag-benchmark, the human evaluation): sentences of answers by people and models about passages. They are
  right if all annotators call the answer faithful (4 of 4), wrong if none gives it more than 2.
  Other answers and those without passages are left out.
- `aggrefact` (AggreFact, its part CLIFF): sentences of summaries of news by two models. A sentence of a summary with
  errors is wrong if it has a marked error, and is else left out. The halves are its parts `val` and `test`.
- `faithbench` (FaithBench): sentences of summaries by ten models. A sentence with a mark "Unwanted" is wrong, one with
  other marks only counts apart.
- `summedits` (factualNLG, `data/summedits`): sentences of summaries that a model changed a little, as far as they
  differ from the first summary. They are right or wrong as the whole summary is.
"""

import ast
import asyncio
import csv
import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import corpora
import verification

from lectern.answers.generation.answer_parser import AnswerParser
from lectern.answers.verification.evidence import EvidenceText

_PAIRS: Final = 600
_MAX_ROWS: Final = 25
_MIN_WORDS: Final = 5
_MAX_SENTENCES: Final = 60
_SPACE_BEFORE_MARK: Final = re.compile(r" ([.,'?)])")
_WORD_START: Final = re.compile(r"(?<![\w'])[a-z]")
_WORD: Final = re.compile(r"[a-z]{3}")
_TITLE: Final = "Title:"
_FAITHFUL: Final = 4
_UNFAITHFUL: Final = 2
_PROSE: Final = frozenset({"ectsum", "news", "scitldr"})
_SPACED_MARK: Final = re.compile(r"(?<=\w) (-) (?=\w)|([£$€]) (?=\d)| ([.,!?;:)%])")


@dataclass(frozen=True, slots=True)
class LabelledStatement:
    """A statement, its evidence, and what its annotators said of it."""

    text: str
    evidence: Sequence[EvidenceText]
    label: str
    is_tuning: bool


def read_tabfact(data: Path) -> Iterator[LabelledStatement]:
    """Yield pairs of statements about single rows in a random, repeatable order."""
    simple = set(json.loads((data / "data/simple_ids.json").read_text(encoding="utf-8")))
    titles = json.loads((data / "data/table_to_page.json").read_text(encoding="utf-8"))
    lines = json.loads((data / "pairwise_data/all_positive_negative_pairs.json").read_text(encoding="utf-8"))
    lines = [line for line in lines if line[0] in simple and _is_pair(line)]
    random.Random(7).shuffle(lines)
    count = 0
    for name, right, wrong in lines:
        rows = [line.split("#") for line in (data / "data/all_csv" / name).read_text(encoding="utf-8").splitlines()]
        if count < _PAIRS and len(rows) <= _MAX_ROWS and all(len(row) == len(rows[0]) for row in rows):
            count += 1
            title = titles.get(name, [""])[0]
            names = sorted({title.lower(), *(cell.strip() for row in rows[1:] for cell in row)}, key=len, reverse=True)
            names = [one for one in names if _WORD.search(one)]
            table = EvidenceText(text=_markdown(rows), names=_capitalize(title), content_type="table", language="en")
            is_tuning = count <= _PAIRS // 2
            yield LabelledStatement(_restore(right, names), [table], "right", is_tuning)
            yield LabelledStatement(_restore(wrong, names), [table], "wrong", is_tuning)


def _is_pair(line: Sequence[str]) -> bool:
    is_rejected = any("borries" in text or len(text.split()) < _MIN_WORDS for text in line[1:])
    return not is_rejected and line[1].strip() != line[2].strip()


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    header = [cell.capitalize() for cell in rows[0]]
    body = [[_capitalize(cell.strip()) for cell in row] for row in rows[1:]]
    return "\n".join(f"| {' | '.join(row)} |" for row in [header, ["---"] * len(header), *body])


def _capitalize(text: str) -> str:
    return _WORD_START.sub(lambda match: match[0].upper(), text)


def _restore(statement: str, names: Sequence[str]) -> str:
    """Write the names of a statement as in the table, and the statement as a sentence."""
    text = statement.strip()
    for name in names:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", _capitalize(name), text)
    text = _SPACE_BEFORE_MARK.sub(r"\1", text)
    return f"{text[0].upper()}{text[1:].removesuffix('.')}."


def read_foolmetwice(data: Path) -> Iterator[LabelledStatement]:
    """Yield the claims with their evidence and the title of its page."""
    for row, is_tuning in _lines(data / "dataset/dev.jsonl"):
        text = " ".join(one["text"] for one in row["gold_evidence"])
        evidence = EvidenceText(text=text, names=row["wikipedia_page"], language="en")
        label = "right" if row["label"] == "SUPPORTS" else "wrong"
        yield LabelledStatement(row["text"], [evidence], label, is_tuning)


def read_wice(data: Path) -> Iterator[LabelledStatement]:
    """Yield the claims with their evidence and the title of the page that they are from."""
    labels = {"supported": "right", "partially_supported": "wrong in part", "not_supported": "wrong"}
    for row, is_tuning in _lines(data / "data/entailment_retrieval/claim/dev.jsonl"):
        sentences = row["evidence"]
        supporting = {place for places in row["supporting_sentences"] for place in places} or range(_MAX_SENTENCES)
        near = sorted({place + step for place in supporting for step in (-1, 0, 1)} & set(range(len(sentences))))
        text = " ".join(sentences[place] for place in near)
        evidence = EvidenceText(text=text, names=row["meta"]["claim_title"], language="en")
        yield LabelledStatement(row["claim"], [evidence], labels[row["label"]], is_tuning)


def read_attribution(data: Path) -> Iterator[LabelledStatement]:
    """Yield the sentences with the texts that they cite and the titles of these."""
    for name in ("dev_all_subset_balanced", "test_all_subset_balanced_sampled500", "test_ood_all_subset_balanced"):
        for row in map(json.loads, (data / f"data/{name}.jsonl").read_text(encoding="utf-8").splitlines()):
            texts = [_cited_text(text.strip()) for text in row["references"] or row["webpage_references"]]
            label = "right" if row["attribution_label"] == "attributable" else "wrong"
            yield LabelledStatement(row["claim"], texts, f"{label}, {row['src_dataset']}", is_tuning=name[:3] == "dev")


def read_mtrag(data: Path) -> Iterator[LabelledStatement]:
    """Yield the sentences of the answers, without marks of lists and Markdown as the answer service reads them."""
    file = data / "mtrag-human/evaluations/reference_subset_with_human_evaluations.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    passages = {one["document_id"]: EvidenceText(text=one["text"], language="en") for one in content["documents"]}
    tasks = {task["task_id"]: [passages[one["document_id"]] for one in task["contexts"]] for task in content["tasks"]}
    for answer in content["evaluations"]:
        faithful = [int(one["value"]) for one in answer["annotations"]["faithfulness"].values()]
        label = "right" if min(faithful) == _FAITHFUL else "wrong" if max(faithful) <= _UNFAITHFUL else ""
        is_tuning = _is_even(answer["task_id"].split("<")[0])
        writer = "person" if answer["model_id"] == "reference" else "model"
        for text in _sentences(answer["model_response"]) if label and tasks[answer["task_id"]] else ():
            yield LabelledStatement(text, tasks[answer["task_id"]], f"{label}, {writer}", is_tuning)


def read_aggrefact(data: Path) -> Iterator[LabelledStatement]:
    """Yield the sentences of right summaries, and those with an error that is marked."""
    with (data / "data/error_type_mapping/CLIFF_error_types.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            evidence = [EvidenceText(text=row["doc"], language="en")]
            marked = ast.literal_eval(row["annotated_span"]) if row["annotated_span"] else []
            for text in _sentences(row["summ"]):
                label = "right" if row["error_type"] == "correct" else "wrong" if any(map(text.count, marked)) else ""
                if label:
                    plain = _SPACED_MARK.sub(lambda match: match[match.lastindex or 0], text)
                    yield LabelledStatement(plain, evidence, f"{label}, {row['origin']}", row["cut"] == "val")


def read_faithbench(data: Path) -> Iterator[LabelledStatement]:
    """Yield the sentences of the summaries, with the worst mark in each."""
    for file in sorted((data / "data_for_release").glob("*.json")):
        for sample in json.loads(file.read_text(encoding="utf-8"))["samples"]:
            evidence = [EvidenceText(text=sample["source"], language="en")]
            summary = sample["summary"]
            for text in _sentences(summary):
                start = summary.find(text)
                marks = {
                    label.split(".")[0]
                    for one in sample["annotations"]
                    if one["summary_start"] < start + len(text) and one["summary_end"] > start
                    for label in one["label"]
                }
                label = "wrong" if "Unwanted" in marks else "doubtful" if marks else "right"
                if start >= 0:
                    yield LabelledStatement(text, evidence, label, _is_even(sample["source"]))


def read_summedits(data: Path) -> Iterator[LabelledStatement]:
    """Yield the changed sentences of each subject, and those of the first summary."""
    for file in sorted((data / "data/summedits").glob("*.json")):
        rows = json.loads(file.read_text(encoding="utf-8"))
        subject = "prose" if file.stem.removeprefix("summedits_") in _PROSE else "talk"
        for doc in dict.fromkeys(row["doc"] for row in rows):
            evidence, labels = [EvidenceText(text=doc, language="en")], dict[str, str]()
            for row in (row for row in rows if row["doc"] == doc):
                label = "right" if row["label"] in {1, "1"} else "wrong"
                unchanged = _sentences(row["original_summary"]) if row["summary"] != row["original_summary"] else []
                labels |= {text: label for text in _sentences(row["summary"]) if text not in unchanged}
            for text, label in labels.items():
                yield LabelledStatement(text, evidence, f"{label}, {subject}", _is_even(doc))


def _is_even(text: str) -> bool:
    """Return True for half of all texts: they are the tuning half."""
    return hashlib.sha1(text.encode(), usedforsecurity=False).digest()[-1] % 2 == 0


def _sentences(answer: str) -> list[str]:
    lines = [{"text": line, "sources": []} for line in answer.splitlines()]
    return [one.text for one in AnswerParser().feed(json.dumps({"answer_found": True, "sentences": lines}))]


def _cited_text(text: str) -> EvidenceText:
    title, _, rest = text.partition("\n")
    if title.startswith(_TITLE) and rest:
        return EvidenceText(text=rest.strip(), names=title.removeprefix(_TITLE).strip(), language="en")
    return EvidenceText(text=text, language="en")


def _lines(file: Path) -> Iterator[tuple[dict[str, Any], bool]]:
    """Yield the lines of a file, and True for those at even places: they are the tuning half."""
    for place, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
        yield json.loads(line), place % 2 == 0


READERS: Final[Mapping[str, Callable[[Path], Iterator[LabelledStatement]]]] = {
    "tabfact": read_tabfact,
    "foolmetwice": read_foolmetwice,
    "wice": read_wice,
    "attribution": read_attribution,
    "mtrag": read_mtrag,
    "aggrefact": read_aggrefact,
    "faithbench": read_faithbench,
    "summedits": read_summedits,
}


async def count_accepted(statements: Sequence[LabelledStatement], models: Path) -> Counter[str]:
    """Return how many statements are accepted, by label."""
    verifier = verification.Verifier(models)
    return Counter([one.label for one in statements if one.evidence and await verifier.support(one.text, one.evidence)])


def main() -> None:
    """Verify the statements of a half."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("set", choices=READERS)
    parser.add_argument("data", type=Path)
    parser.add_argument("--half", choices=["tuning", "frozen"], default="tuning")
    arguments = parser.parse_args()
    every = READERS[arguments.set](arguments.data)
    statements = [one for one in every if one.is_tuning == (arguments.half == "tuning")]
    accepted = asyncio.run(count_accepted(statements, arguments.cache / "models"))
    for label, count in sorted(Counter(one.label for one in statements).items()):
        print(f"{label:26s} {accepted[label]:4d} of {count:4d} accepted  {accepted[label] / count:.3f}")


if __name__ == "__main__":
    main()
