"""Words and sentences follow docs/style.md: no retired word, no duplicate class name, short sentences."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.house.sources import REPOSITORY, SourceFacts, read_facts

SOURCES = ("api/src", "api/benchmarks", "api/tools", "mcp/src", "mcp/benchmarks")
WITH_DOCSTRINGS = (*SOURCES, "api/tests", "mcp/tests", "mcp/clients", "clients")
GENERATED = {"api_models.py"}
MAX_AVERAGE_WORDS = 16

RETIRED_PHRASES = {
    r"widen(s|ed|ing)": "expand, expansions",
    r"blind languages?": "unmatched language",
    r"namesakes?": "entities with the same name",
    r"strangers?": "untrusted, or name who it is",
    r"overtak\w+": "MaxScore pruning",
    r"witness(es)?": "signal",
    r"told": "distinguished, reported",
    r"spoken": "remove it",
    r"taken in": "ingested",
    r"being read": "processing",
    r"stands? (in|nowhere|behind|under)": "is in, is missing",
    r"lies? in": "is in",
    r"lets? go of": "remove, release",
    r"by itself": "automatically",
    r"of one's own": "your own",
    r"kept (responses?|answers?)": "result cache, saved answers",
    r"teach it": "add synonyms",
}
"""Regular expressions of phrases in docs and UI copy, each with a replacement."""

RETIRED_WORDS = {
    "blind": "unmatched",
    "kept": "cached, saved, retained",
    "namesake": "entity",
    "namesakes": "entities",
    "overtake": "upper_bound, threshold",
    "overtaking": "upper_bound, threshold",
    "spoken": "text",
    "stranger": "other_entity, untrusted",
    "strangers": "other_entities, untrusted",
    "told": "as_text, reported",
    "widened": "expansions",
    "widening": "expansion",
    "witness": "signal",
    "witnesses": "signals",
}
"""Words of identifiers, each with a replacement."""
ALLOWED = {"versions_kept"}  # named like its variable, LECTERN_VERSIONS_KEPT

REJECTED_OPENINGS = ("Whether ", "What ", "The same", "Those ", "How ")


def documents() -> list[Path]:
    pages = [*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.md")]
    return sorted(page for page in pages if page.name != "style.md")


def guides() -> list[Path]:
    pages = [*REPOSITORY.glob("docs/how-to/*.md"), *REPOSITORY.glob("clients/lectern-*/README.md")]
    return [REPOSITORY / "README.md", *sorted(pages)]


def interface_texts() -> list[Path]:
    """The English texts of the web UI: `locales/en/*.json`, or `NAME.en.json`."""
    source = REPOSITORY / "frontend" / "src"
    return sorted({*source.glob("**/en/*.json"), *source.glob("**/*en.json")})


def modules(folders: Sequence[str] = SOURCES) -> Iterator[tuple[str, SourceFacts]]:
    """Yield the written modules of folders with their paths."""
    for folder in folders:
        for path in sorted((REPOSITORY / folder).rglob("*.py")):
            if path.name not in GENERATED:
                yield str(path.relative_to(REPOSITORY)), read_facts(path)


def without_code(markdown: str) -> str:
    return re.sub(r"`[^`\n]*`", "x", re.sub(r"^ *```.*?^ *```", "", markdown, flags=re.MULTILINE | re.DOTALL))


def retired_phrases(text: str) -> list[str]:
    return [
        f"{found[0]!r} (write: {replacement})"
        for pattern, replacement in RETIRED_PHRASES.items()
        for found in re.finditer(rf"\b{pattern}\b", text, re.IGNORECASE)
    ]


def words_of(identifier: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", identifier)}


def sentences(markdown: str) -> list[str]:
    """Sentences of prose: no code, headings, tables or link targets."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", without_code(markdown))
    lines = [line.strip() for line in text.splitlines()]
    prose = [re.sub(r"^([-*·]|\d+\.) ", "", line) for line in lines if line and not line.startswith(("#", "|", "<"))]
    parts = (part for line in prose for part in re.split(r"(?<=[.!?])\s+", line))
    return [part for part in parts if re.search(r"[a-z]", part)]


def test_docs_use_no_retired_word() -> None:
    found = {
        str(page.relative_to(REPOSITORY)): retired_phrases(without_code(page.read_text("utf-8")))
        for page in documents()
    }

    assert {page: phrases for page, phrases in found.items() if phrases} == {}


def test_the_interface_uses_no_retired_word() -> None:
    texts = interface_texts()
    assert texts
    found = {
        str(path.relative_to(REPOSITORY)): retired_phrases(json.dumps(json.loads(path.read_text("utf-8"))))
        for path in texts
    }

    assert {path: phrases for path, phrases in found.items() if phrases} == {}


def test_code_uses_no_retired_word() -> None:
    found = {
        path: sorted(name for name in facts.identifiers - ALLOWED if words_of(name) & RETIRED_WORDS.keys())
        for path, facts in modules()
    }

    assert {path: names for path, names in found.items() if names} == {}, RETIRED_WORDS


def test_no_class_name_is_defined_twice() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path, facts in modules():
        for name, line in facts.classes:
            if not name.startswith("_"):
                places[name].append(f"{path}:{line}")

    assert len(places) > 100
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    found = [
        f"{path}:{line} {docstring.splitlines()[0]}"
        for path, facts in modules(WITH_DOCSTRINGS)
        for line, docstring in facts.docstrings
        if docstring.startswith(REJECTED_OPENINGS)
    ]

    assert found == []


@pytest.mark.parametrize("page", guides(), ids=lambda page: page.name)
def test_sentences_of_guides_are_short(page: Path) -> None:
    counts = [len(sentence.split()) for sentence in sentences(page.read_text(encoding="utf-8"))]

    assert len(counts) >= 5
    assert sum(counts) / len(counts) <= MAX_AVERAGE_WORDS
