"""A family: documents that belong together, and the questions about them."""

import importlib.util
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from generator.markup import Rows, Source, parse_source
from jinja2 import Environment, FileSystemLoader, StrictUndefined

Split = Literal["train", "dev", "test"]
ANSWERABLE = ("fact", "figure", "comparison", "identifier", "section", "cross_lingual")
TEMPLATES = Path(__file__).resolve().parents[1] / "templates"
"""Templates that several families share."""
UNANSWERABLE = (
    "other_entity", "other_period", "missing_attribute", "false_premise", "out_of_scope", "underspecified",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A document before it is written. The suffix of `file` decides the format; a scan is a PDF without text."""

    file: str
    source: Source
    tables: Mapping[str, Rows] = field(default_factory=dict[str, Rows])
    is_scan: bool = False


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question, and quotes of the files that answer it.

    `evidence` holds exact quotes. Each must be in at least one of `files`, in any number of places.
    """

    id: str
    text: str
    language: str
    kind: str
    files: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    answer: str = ""

    @property
    def is_answerable(self) -> bool:
        return self.kind not in UNANSWERABLE


@dataclass(frozen=True, kw_only=True)
class Family:
    """Documents and questions of one topic. A family is never divided between splits."""

    name: str
    split: Split
    drafts: tuple[Draft, ...]
    questions: tuple[Question, ...]


def load_family(folder: Path) -> Family:
    """Run `family.py` of a folder. Its `family(folder)` returns the family."""
    spec = importlib.util.spec_from_file_location(f"corpus_family_{folder.name}", folder / "family.py")
    if spec is None or spec.loader is None:
        raise ValueError(f"{folder} has no family.py.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.family(folder)


def render_source(folder: Path, template: str, **variables: Any) -> Source:  # noqa: ANN401 - any value of a template
    """Fill in a Jinja template and parse it. Variables are `<<name>>`; a missing one is an error."""
    return parse_source(_environment(folder).get_template(template).render(variables))


def read_questions(folder: Path, name: str = "questions.jsonl", **variables: Any) -> list[Question]:  # noqa: ANN401
    """Read questions, one JSON object a line. Texts may be Jinja templates.

    Keys: id, question, language, kind, file or files, evidence (a quote or a list), answer.
    """
    environment = _environment(folder)
    questions: list[Question] = []
    for line in (folder / name).read_text(encoding="utf-8").splitlines():
        if not line.strip():
            continue
        row: dict[str, Any] = _rendered(json.loads(line), environment, variables)
        files = row.get("files", [row["file"]] if row.get("file") else [])
        evidence = row.get("evidence", [])
        questions.append(
            Question(
                id=row["id"],
                text=row["question"],
                language=row["language"],
                kind=row["kind"],
                files=tuple(files),
                evidence=(evidence,) if isinstance(evidence, str) else tuple(evidence),
                answer=row.get("answer", ""),
            )
        )
    return questions


def read_parts(path: Path) -> list[tuple[list[str], str]]:
    """Return the fields and the text of each part of a file. A part begins with a line `=== field | field`."""
    parts = re.split(r"^=== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [(head.split(" | "), body) for head, body in (part.split("\n", 1) for part in parts)]


def _environment(folder: Path) -> Environment:
    environment = Environment(  # noqa: S701 - the texts are not HTML
        loader=FileSystemLoader([folder, TEMPLATES]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_require_value,
        variable_start_string="<<",  # two braces are directives of the markup
        variable_end_string=">>",
    )
    environment.filters["n"] = format_english
    environment.filters["m"] = lambda value: format_english(value / 1000, 1)
    environment.filters["ni"] = format_italian
    return environment


def _require_value(value: Any) -> Any:  # noqa: ANN401
    """Refuse a method: `<<e.update>>` is the method of a dictionary, `<<e["update"]>>` the value."""
    if callable(value):
        raise TypeError(f"A template names {value}, which is no value.")
    return value


def _rendered(value: Any, environment: Environment, variables: Mapping[str, Any]) -> Any:  # noqa: ANN401
    if isinstance(value, str):
        return environment.from_string(value).render(variables) if "<<" in value or "{%" in value else value
    if isinstance(value, list):
        return [_rendered(one, environment, variables) for one in value]
    if isinstance(value, dict):
        return {key: _rendered(one, environment, variables) for key, one in value.items()}
    return value


def format_english(value: float, digits: int = 0) -> str:
    """Format as 1,234.5, negative numbers in brackets."""
    text = f"{abs(value):,.{digits}f}"
    return f"({text})" if value < 0 else text


def format_italian(value: float, digits: int = 0) -> str:
    """Format as 1.234,5, negative numbers in brackets."""
    return format_english(value, digits).translate(str.maketrans(",.", ".,"))
