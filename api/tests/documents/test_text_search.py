"""Find text in a document as Ctrl-F does, ignoring case, accents and line breaks."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.api import LIBRARY, Api

from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.parts.text_search import Match, find_words, get_context
from lectern.extraction.layout.text_cleaning import clean_text

from .shelves import PAGES, add_document

TEXT = "\n".join(PAGES)


def found(text: str, words: str) -> list[str]:
    return [text[match.char_start : match.char_end] for match in find_words(text, words)]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("Net sales rose. NET SALES fell.", "net sales", ["Net sales", "NET SALES"]),
        ("of the net\nsales", "net sales", ["net\nsales"]),
        ("perché no, perche si", "perche", ["perché", "perche"]),
        ("perché no, perche si", "perchÉ", ["perché", "perche"]),
        ("l’anno e l'anno", "l'anno", ["l’anno", "l'anno"]),
        ("2019–2020 and 2019-2020", "2019-2020", ["2019–2020", "2019-2020"]),
        ("Costs: 222,730.00 (a+b)*c", "222,730.00", ["222,730.00"]),
        ("Costs: 222,730.00 (a+b)*c", "(a+b)*c", ["(a+b)*c"]),
        ("eV = 3 and traffic", "traﬃc", ["traffic"]),
        ("eV = 3 and traffic", "𝑒𝑉", ["eV"]),
        ("aaaa", "aa", ["aa", "aa"]),
        ("anything", "   ", []),
        ("anything", "thingy", []),
        ("😀 ferie 😀", "ferie", ["ferie"]),
    ],
)
def test_words_match_ignoring_case_and_accents(text: str, words: str, expected: list[str]) -> None:
    assert found(text, words) == expected


@given(st.text(min_size=1, max_size=40), st.text(max_size=20), st.text(max_size=20))
def test_every_substring_is_found(words: str, before: str, after: str) -> None:
    cleaned = clean_text(words)
    if cleaned.split():
        assert find_words(f"{before}{cleaned}{after}", words)


def test_matches_are_limited() -> None:
    assert len(find_words("a" * 1_000, "a", limit=10)) == 10


async def _document(api: Api) -> uuid.UUID:
    async with api.database.session(SYSTEM_SCOPE) as session:
        return await add_document(session, collection_id=LIBRARY)


@pytest.mark.parametrize(
    ("text", "words", "before", "after"),
    [
        ("Anti-Money Laundering and Know Your Customer", "and", " Laundering ", " Know Your "),
        ("a b c", "b", "a ", " c"),
        ("Laundering and Customers", "and", "Laundering ", " Customers"),
        ("x" * 30 + "word" + "y" * 30, "word", "x" * 12, "y" * 12),
    ],
)
def test_context_has_whole_words(text: str, words: str, before: str, after: str) -> None:
    (match,) = find_words(text, words)
    assert get_context(text, match, max_characters=12) == (before, after)


@given(text=st.text(alphabet="ab \n", max_size=60), start=st.integers(0, 60), length=st.integers(0, 5))
def test_context_is_adjacent_to_the_match(text: str, start: int, length: int) -> None:
    match = Match(min(start, len(text)), min(start + length, len(text)))
    before, after = get_context(text, match, max_characters=7)
    assert text[: match.char_start].endswith(before)
    assert text[match.char_end :].startswith(after)
    assert max(len(before), len(after)) <= 7


async def test_match_has_page_offsets_context_and_rectangles(api: Api) -> None:
    headers = (await api.person("reader")).headers
    document_id = await _document(api)
    response = await api.client.get(f"/api/v1/documents/{document_id}/find", params={"q": "OF"}, headers=headers)
    assert response.status_code == 200, response.text
    body = response.json()
    assert body["total"] == 2
    first, second = body["items"]
    assert (first["page_number"], second["page_number"]) == (1, 2)
    for item in (first, second):
        assert TEXT[item["char_start"] : item["char_end"]] == item["text"] == "of"
        assert TEXT.startswith(item["before"] + item["text"], item["char_start"] - len(item["before"]))
        assert TEXT.startswith(item["after"], item["char_end"])
        rectangles = await api.client.get(
            f"/api/v1/documents/{document_id}/rectangles",
            params={"char_start": item["char_start"], "char_end": item["char_end"]},
            headers=headers,
        )
        assert item["highlights"] == rectangles.json()["highlights"]
        assert [highlight["page_number"] for highlight in item["highlights"]] == [item["page_number"]]


async def test_match_across_a_page_break_is_on_both_pages(api: Api) -> None:
    headers = (await api.person("reader")).headers
    document_id = await _document(api)
    response = await api.client.get(f"/api/v1/documents/{document_id}/find", params={"q": "bank the"}, headers=headers)
    (item,) = response.json()["items"]
    assert [highlight["page_number"] for highlight in item["highlights"]] == [1, 2]


async def test_matches_are_paged_and_a_cursor_belongs_to_its_query(api: Api) -> None:
    headers = (await api.person("reader")).headers
    address = f"/api/v1/documents/{await _document(api)}/find"
    first = (await api.client.get(address, params={"q": "of", "limit": 1}, headers=headers)).json()
    second = await api.client.get(
        address, params={"q": "of", "limit": 1, "cursor": first["next_cursor"]}, headers=headers
    )
    assert second.json()["items"][0]["page_number"] == 2
    assert second.json()["next_cursor"] is None
    other = await api.client.get(address, params={"q": "the", "cursor": first["next_cursor"]}, headers=headers)
    assert other.json()["code"] == "broken_cursor"


async def test_document_out_of_scope_is_not_found(api: Api) -> None:
    headers = (await api.person("reader")).headers
    response = await api.client.get(f"/api/v1/documents/{uuid.uuid4()}/find", params={"q": "of"}, headers=headers)
    assert response.json()["code"] == "document_not_found"
    assert (await api.client.get(f"/api/v1/documents/{uuid.uuid4()}/find", headers=headers)).status_code == 422
