"""Words and sentences follow docs/style.md: no retired word and short sentences."""

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
PRINTED = {"errors.md", "rest.md", "settings.md"}
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
"""Regular expressions of phrases in docs, each with a replacement."""


def documents() -> list[Path]:
    pages = [*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.md")]
    return sorted(page for page in pages if page.name not in {"style.md", *PRINTED})


def guides() -> list[Path]:
    return [REPOSITORY / "README.md", *sorted(REPOSITORY.glob("docs/how-to/*.md"))]


def without_code(markdown: str) -> str:
    return re.sub(r"`[^`\n]*`", "x", re.sub(r"^ *```.*?^ *```", "", markdown, flags=re.MULTILINE | re.DOTALL))


def retired_phrases(text: str) -> list[str]:
    return [
        f"{found[0]!r} (write: {replacement})"
        for pattern, replacement in RETIRED_PHRASES.items()
        for found in re.finditer(rf"\b{pattern}\b", text, re.IGNORECASE)
    ]


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


@pytest.mark.parametrize("page", guides(), ids=lambda page: page.name)
def test_sentences_of_guides_are_short(page: Path) -> None:
    counts = [len(sentence.split()) for sentence in sentences(page.read_text(encoding="utf-8"))]

    assert len(counts) >= 5
    assert sum(counts) / len(counts) <= MAX_AVERAGE_WORDS
