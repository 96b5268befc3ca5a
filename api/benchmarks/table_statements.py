"""Measure how many right and wrong statements about tables verification accepts.

    python benchmarks/table_statements.py DATA [--half tuning|frozen]

DATA is a checkout of the TabFact repository (Table-Fact-Checking). 600 pairs of a right and a wrong statement about the
same table are drawn, half of them frozen. The set is in lower case: words of cells and titles get capitals again.
"""

import asyncio
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import corpora
import verification

from lectern.answers.verification.evidence import EvidenceText

PAIRS: Final = 600
_MAX_ROWS: Final = 25
_MIN_WORDS: Final = 5
_SPACE_BEFORE_MARK: Final = re.compile(r" ([.,'?)])")
_WORD_START: Final = re.compile(r"(?<![\w'])[a-z]")
_WORD: Final = re.compile(r"[a-z]{3}")


@dataclass(frozen=True, slots=True)
class StatementPair:
    """A table, a right statement about it and a wrong one."""

    table: EvidenceText
    right: str
    wrong: str


def read_pairs(data: Path) -> Iterator[StatementPair]:
    """Yield pairs about single rows in a random, repeatable order. Raise FileNotFoundError without the set."""
    simple = set(json.loads((data / "data/simple_ids.json").read_text(encoding="utf-8")))
    pages = json.loads((data / "data/table_to_page.json").read_text(encoding="utf-8"))
    lines = json.loads((data / "pairwise_data/all_positive_negative_pairs.json").read_text(encoding="utf-8"))
    lines = [line for line in lines if line[0] in simple and _is_pair(line)]
    random.Random(7).shuffle(lines)
    for name, right, wrong in lines:
        rows = [line.split("#") for line in (data / "data/all_csv" / name).read_text(encoding="utf-8").splitlines()]
        if len(rows) <= _MAX_ROWS and all(len(row) == len(rows[0]) for row in rows):
            title = pages.get(name, [""])[0]
            names = sorted({title.lower(), *(cell.strip() for row in rows[1:] for cell in row)}, key=len, reverse=True)
            names = [one for one in names if _WORD.search(one)]
            table = EvidenceText(text=_markdown(rows), names=_capitalize(title), content_type="table", language="en")
            yield StatementPair(table, _restore(right, names), _restore(wrong, names))


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


async def measure(pairs: Sequence[StatementPair], models: Path) -> Counter[str]:
    """Return how many right and wrong statements are accepted."""
    verifier, accepted = verification.Verifier(models), Counter[str]()
    for pair in pairs:
        accepted["right"] += bool(await verifier.support(pair.right, [pair.table]))
        accepted["wrong"] += bool(await verifier.support(pair.wrong, [pair.table]))
    return accepted


def main() -> None:
    """Verify the statements of a half."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--half", choices=["tuning", "frozen"], default="tuning")
    arguments = parser.parse_args()
    every = list(islice(read_pairs(arguments.data), PAIRS))
    pairs = every[: PAIRS // 2] if arguments.half == "tuning" else every[PAIRS // 2 :]
    accepted = asyncio.run(measure(pairs, arguments.cache / "models"))
    for kind in ("right", "wrong"):
        print(f"{kind}  {accepted[kind]} of {len(pairs)} accepted  {accepted[kind] / len(pairs):.3f}")


if __name__ == "__main__":
    main()
