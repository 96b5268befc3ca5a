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
"""

import asyncio
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
        conversation = answer["task_id"].split("<")[0]
        is_tuning = hashlib.sha1(conversation.encode(), usedforsecurity=False).digest()[-1] % 2 == 0
        writer = "person" if answer["model_id"] == "reference" else "model"
        for text in _sentences(answer["model_response"]) if label and tasks[answer["task_id"]] else ():
            yield LabelledStatement(text, tasks[answer["task_id"]], f"{label}, {writer}", is_tuning)


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
