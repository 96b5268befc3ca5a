"""The toolsets beyond `search` on the real API: documents by any of their names, word for word, counted, quoted."""

import asyncio
from base64 import b64decode
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.types import BlobResourceContents, ResourceLink, TextContent

from harness import call, connecting, held, serving_all_toolsets
from lectern_mcp.results import tokens_of
from real_api import DOCUMENTS, RealApi, real_api

POLICY, TRAVEL = "aml-kyc-policy.pdf", "travel-and-expenses-policy.pdf"
QUOTE = "Enhanced due diligence"
ASKED: dict[str, dict[str, Any]] = {
    "search": {"query": QUOTE, "top_k": 20},
    "search_by_tag": {"query": QUOTE, "top_k": 20, "tags": ["aml"]},
    "search_by_document": {"query": QUOTE, "top_k": 20, "documents": [POLICY]},
    "list_documents": {},
    "list_tags": {},
    "query_documents": {"question": "When is enhanced due diligence required?", "top_k": 20},
    "search_chunks": {"query": QUOTE, "top_k": 20},
    "document_stats": {"document": POLICY, "term": "the"},
    "list_collections": {},
    "get_document_content": {"document": POLICY},
    "get_document_original": {"document": POLICY},
    "verify_quote": {"quote": "the"},
    "get_document_summary": {"document": POLICY},
    "get_outline": {"document": POLICY},
    "read_pages": {"document": POLICY, "pages": "1-9"},
    "find_in_document": {"document": POLICY, "text": "the"},
    "show_page": {"document": POLICY, "page_number": 1},
}
MAX_TOKENS = 6_000


@pytest.fixture(scope="module")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RealApi]:
    documents = {POLICY: ("aml",), TRAVEL: ("travel",)}
    async with held(real_api(tmp_path_factory.mktemp("api"), documents=documents)) as made:
        yield made


@pytest.fixture(scope="module")
async def url(api: RealApi) -> AsyncGenerator[str]:
    async with held(serving_all_toolsets(api.url)) as address:
        yield address


@pytest.fixture(scope="module")
async def client(api: RealApi, url: str) -> AsyncGenerator[Client]:
    key, _ = await api.key(toolsets=["search", "answers", "library"])
    async with held(connecting(url, key=key)) as connected:
        yield connected


async def test_a_key_sees_the_tools_of_its_toolsets_and_the_others_do_not_exist_for_it(api: RealApi, url: str) -> None:
    key, _ = await api.key(toolsets=["library"])
    async with connecting(url, key=key) as client:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        assert listed >= {"list_collections", "get_document_content", "get_document_original", "verify_quote"}
        assert "document_stats" in listed
        assert "search" not in listed
        with pytest.raises(MCPError) as caught:
            await client.call_tool("search", {"query": "x"})
        assert caught.value.code == -32602
        assert caught.value.message.startswith(
            "Unknown tool: search. Tools of this key: document_stats, list_collections, "
        )


async def test_every_tool_keeps_to_the_size_of_a_result_by_default(client: Client) -> None:
    """Tools that need a write key have tests of their own; those of `extract` are measured there."""
    listed = {tool.name for tool in (await client.list_tools()).tools}
    assert listed - {"ingest_now", "add_document"} == set(ASKED), "a new tool is measured here"
    sizes = {name: tokens_of(await client.call_tool(name, arguments)) for name, arguments in ASKED.items()}
    assert {name: size for name, size in sizes.items() if size > MAX_TOKENS} == {}
    assert sizes["search"] > sizes["list_tags"] > 0


async def test_the_collections_are_listed(client: Client) -> None:
    answer = await call(client, "list_collections")
    assert [(row["name"], row["document_count"]) for row in answer["data"]["collections"]] == [("Library", 2)]


async def test_reading_on_by_cursor_gives_the_whole_text_once(api: RealApi, client: Client) -> None:
    whole = (await api.client.get(f"/api/v1/documents/{api.ids[POLICY]}/content")).json()
    pieces: list[str] = []
    cursor: str | None = None
    while True:
        answer = await call(client, "get_document_content", document="aml kyc", cursor=cursor, max_tokens=2_000)
        assert answer["data"]["char_start"] == sum(map(len, pieces))
        pieces.append(answer["data"]["text"])
        cursor = answer["metadata"]["next_cursor"]
        if cursor is None:
            break
    assert len(pieces) > 2
    assert "".join(pieces) == whole["text"]


async def test_collections_with_long_descriptions_come_in_pages_that_fit_and_each_once(
    api: RealApi, client: Client
) -> None:
    for number in range(30):
        body = {"name": f"Shelf {number}", "description": "What stands here, and why. " * 35}
        made = await api.client.post("/api/v1/collections", json=body)
        assert made.status_code == 201, made.text
    names: list[str] = []
    cursor: str | None = None
    while True:
        result = await client.call_tool("list_collections", {"cursor": cursor})
        assert tokens_of(result) <= MAX_TOKENS
        names += [row["name"] for row in result.structured_content["data"]["collections"]]
        cursor = result.structured_content["metadata"]["next_cursor"]
        if cursor is None:
            break
    assert (len(names), len(set(names))) == (31, 31)


@pytest.mark.parametrize("cursor", ["next", "-5", "99999999", "9" * 40])
async def test_a_cursor_that_was_made_up_is_refused_and_does_not_begin_again(client: Client, cursor: str) -> None:
    result = await client.call_tool("get_document_content", {"document": POLICY, "cursor": cursor})
    assert result.structured_content["code"] == "VALIDATION_ERROR"
    assert "without cursor" in result.structured_content["hint"]


async def test_the_original_is_a_link_that_opens_the_very_file(client: Client) -> None:
    result = await client.call_tool("get_document_original", {"document": POLICY})
    (link,) = [block for block in result.content if isinstance(block, ResourceLink)]
    assert (link.uri, link.name) == (result.structured_content["data"]["uri"], POLICY)
    (contents,) = (await client.read_resource(link.uri)).contents
    assert isinstance(contents, BlobResourceContents)
    assert b64decode(contents.blob) == (DOCUMENTS / POLICY).read_bytes()


async def test_a_page_is_also_a_picture(api: RealApi, client: Client) -> None:
    (contents,) = (await client.read_resource(f"lectern://documents/{api.ids[POLICY]}/pages/1/image")).contents
    assert isinstance(contents, BlobResourceContents)
    assert contents.mime_type == "image/webp"
    assert contents.blob.startswith("UklGR")


async def test_a_quotation_is_exact_near_or_not_there(client: Client) -> None:
    exact = await call(client, "verify_quote", quote=QUOTE, document="AML")
    assert exact["data"]["verdict"] == "EXACT"
    assert f"/{exact['data']['locations'][0]['page_number']}/" in exact["data"]["locations"][0]["url"]
    absent = await call(client, "verify_quote", quote="The moon is made of green cheese and of little else.")
    assert (absent["data"]["verdict"], absent["data"]["locations"]) == ("NOT_FOUND", [])


async def test_words_are_counted_over_the_full_text(client: Client) -> None:
    counted = (await call(client, "document_stats", document=POLICY, term="due diligence"))["data"]
    assert counted["term_count"] == sum(page["count"] for page in counted["term_pages"]) > 0
    assert counted["page_count"] > 1
    blank = await client.call_tool("document_stats", {"document": POLICY, "term": " "})
    assert blank.is_error


async def test_a_name_of_several_documents_is_refused_with_all_of_them(api: RealApi, client: Client) -> None:
    result = await client.call_tool("document_stats", {"document": "policy"})
    assert result.structured_content["code"] == "VALIDATION_ERROR"
    assert all(document_id in result.structured_content["hint"] for document_id in api.ids.values())


@pytest.mark.parametrize(
    "document", ["../../etc/passwd", "..%2f..%2fsecrets", "/etc/passwd", "tags/../keys", "aml\x00"]
)
async def test_a_path_is_no_name_of_a_document(client: Client, document: str) -> None:
    for tool in ("get_document_content", "get_document_original"):
        result = await client.call_tool(tool, {"document": document})
        assert result.structured_content["code"] == "VALIDATION_ERROR", result


async def test_a_question_is_answered_with_citations_whose_pages_say_so(client: Client) -> None:
    answer = await call(client, "query_documents", question="Who approves travel expenses?", document="travel policy")
    data = answer["data"]
    assert data["document_filter"] == [TRAVEL]
    assert data["retrieved_count"] > 0
    assert data["answer_found"] == bool(data["citations"])
    for citation in data["citations"]:
        assert citation["document"] == TRAVEL
        assert (await client.read_resource(citation["url"])).contents


async def test_a_follow_up_question_continues_its_thread(client: Client) -> None:
    question = "What is the hotel limit in Zurich?"
    first = await call(client, "query_documents", question=question, document="travel policy", thread_id="new")
    thread_id = first["data"]["thread_id"]
    second = await call(client, "query_documents", question="And in Milan?", thread_id=thread_id)
    assert (second["data"]["thread_id"], second["data"]["document_filter"]) == (thread_id, [TRAVEL])
    assert second["data"]["rewritten_question"] == "What is the hotel limit in Milan?"
    alone = await call(client, "query_documents", question=question)
    assert (alone["data"]["thread_id"], alone["data"]["rewritten_question"]) == (None, None)


async def test_a_tool_that_saves_answers_is_not_annotated_as_read_only(client: Client) -> None:
    tools = (await client.list_tools()).tools
    hints = {tool.name: tool.annotations.read_only_hint for tool in tools if tool.annotations}
    assert len(hints) == len(tools)
    writing = {"query_documents", "add_document", "ingest_now"}
    assert {name for name, is_reading in hints.items() if not is_reading} == writing
    (asking,) = (tool.annotations for tool in tools if tool.name == "query_documents")
    assert asking is not None
    assert (asking.destructive_hint, asking.idempotent_hint, asking.open_world_hint) == (False, False, False)


async def test_a_counting_question_is_counted(client: Client) -> None:
    answer = await call(client, "query_documents", question=f"How many pages does {POLICY} have?", document=POLICY)
    pages = (await call(client, "document_stats", document=POLICY))["data"]["page_count"]
    assert answer["data"]["answer_found"]
    assert str(pages) in answer["data"]["answer"]
    assert answer["metadata"]["mode"] == "count"


async def test_what_the_documents_do_not_say_is_not_answered_and_no_error(client: Client) -> None:
    answer = await call(client, "query_documents", question="What is the airspeed of an unladen swallow?")
    assert (answer["data"]["answer_found"], answer["data"]["citations"]) == (False, [])
    assert answer["data"]["outcome"] == "nothing_found"
    assert "no passage seems to be about" in answer["message"]


async def test_without_a_certain_answer_the_closest_sentences_are_marked(client: Client) -> None:
    answer = await call(client, "query_documents", question="How long does enhanced due diligence take?")
    data = answer["data"]
    assert (data["outcome"], data["answer_found"], data["citations"]) == ("closest_passages", False, [])
    assert all(passage["sentence"] in passage["snippet"] for passage in data["nearest"])
    assert "closest passages may hold the answer" in answer["message"]


async def test_passages_of_one_document_are_found_by_any_of_its_names(api: RealApi, client: Client) -> None:
    for name in ("AML", POLICY, api.ids[POLICY]):
        answer = await call(client, "search_chunks", query="due diligence", document=name)
        assert {passage["document"] for passage in answer["data"]} == {POLICY}
        assert len(answer["data"]) <= 10


async def test_a_folder_is_looked_through_by_a_key_that_may_write(api: RealApi, client: Client, url: str) -> None:
    made = (await api.client.post("/api/v1/collections", json={"name": "Inbox"})).json()
    folder = api.settings.folders.roots[0] / "inbox"
    folder.mkdir()
    followed = f"/api/v1/collections/{made['id']}/folder"
    bound = await api.client.put(followed, json={"path": str(folder)})
    assert bound.status_code == 200, bound.text
    async with asyncio.timeout(60):  # the worker looks at once, and then not again for minutes
        while (await api.client.get(followed)).json()["last_scan_at"] is None:  # noqa: ASYNC110 - polled from outside
            await asyncio.sleep(0.1)
    (folder / "note.txt").write_text("The notice period is 30 days.")

    refused = await client.call_tool("ingest_now", {"collection": "Inbox"})
    assert refused.structured_content["code"] == "UNAUTHORIZED"
    key, _ = await api.key(toolsets=["library"], can_write=True)
    async with connecting(url, key=key) as writer:
        unknown = await writer.call_tool("ingest_now", {"collection": "Nowhere"})
        assert unknown.structured_content["code"] == "VALIDATION_ERROR"
        assert "Inbox" in unknown.structured_content["hint"]
        other = await writer.call_tool("ingest_now", {"collection": "Inbox 2"})
        assert other.structured_content["code"] == "VALIDATION_ERROR"
        plan = await call(writer, "ingest_now", collection="Inbx", dry_run=True)
        assert plan["message"].startswith("Read 'Inbx' as 'Inbox'.")
        done = await call(writer, "ingest_now", collection="Inbox")

    assert (plan["data"]["is_dry_run"], plan["data"]["added"]) == (True, ["note.txt"])
    assert (done["data"]["added_count"], done["message"]) == (1, "Changed: 1. Unchanged: 0.")


async def test_a_passage_of_a_file_in_two_collections_is_one_hit_that_names_both(api: RealApi, client: Client) -> None:
    assert (await api.client.post("/api/v1/collections", json={"name": "Archive"})).status_code == 201
    response = await api.client.post(
        "/api/v1/documents",
        content=(DOCUMENTS / TRAVEL).read_bytes(),
        params={"filename": "travel-archived.pdf", "collection": "Archive"},
        headers={"Content-Type": "application/octet-stream"},
    )
    assert response.status_code == 202, response.text
    await api.wait_until_ready()
    result = await client.call_tool("search", {"query": "hotel limit per night", "top_k": 5})
    rows = [row for row in result.structured_content["data"] if "travel" in row["document"]]
    assert rows
    assert all({row["document"], *row["also_in"]} == {TRAVEL, "travel-archived.pdf"} for row in rows)
    (shown,) = result.content
    assert isinstance(shown, TextContent)
    assert "(also in " in shown.text
