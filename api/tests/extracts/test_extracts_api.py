"""Extracts of files outside the library, over REST: ingested alike, cached, never added to it."""

import asyncio
import base64
import hashlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.api import Api, Person, api_settings, open_api
from tests.search.reranking.rerank_server import rerank_server

from lectern.extracts import service
from lectern.settings import EmbeddingsSettings, ExtractsSettings, RerankingSettings, Settings

DOCUMENTS = Path(__file__).parents[3] / "test-docs" / "documents"
POLICY = "aml-kyc-policy.pdf"
SALES = "Branch,Month,Net sales\n" + "".join(f"Town {n},2025-{n % 12 + 1:02d},{n * 1000}\n" for n in range(1, 61))


@dataclass
class Desk:
    """An API, a reader who signed in, and a server of files that counts what it gave out."""

    api: Api
    reader: Person
    port: int
    served: list[str]

    async def ask(self, operation: str, **body: Any) -> tuple[int, dict[str, Any]]:
        answer = await self.api.client.post(
            f"/api/v1/extracts/{operation}", json=body, headers=self.reader.headers, timeout=60
        )
        return answer.status_code, answer.json()

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.port}/{name}"


def settings_of(database: ThrowawayDatabase, folder: Path) -> Settings:
    settings = api_settings(database, folder)
    settings.extracts = ExtractsSettings(allowed=["127.0.0.1"], max_bytes=2_000_000)
    settings.embeddings = EmbeddingsSettings(provider="hash:64")
    return settings


@pytest.fixture
async def desk(database: ThrowawayDatabase, tmp_path: Path) -> AsyncGenerator[Desk]:
    served: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await reader.readline()
            if not request:  # the client closed the connection again
                return
            name = request.split()[1].decode().lstrip("/")
            served.append(name)
            body = SALES.encode() if name == "sales.csv" else (DOCUMENTS / name).read_bytes()
            writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body)
            await writer.drain()
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server, open_api(settings_of(database, tmp_path)) as api:
        yield Desk(api, await api.person("reader"), server.sockets[0].getsockname()[1], served)


async def test_a_file_is_read_once_and_answers_every_question_alike(desk: Desk) -> None:
    status, whole = await desk.ask("documents", url=desk.url(POLICY))
    assert status == 200, whole
    file = whole["file"]
    assert file["sha256"] == hashlib.sha256((DOCUMENTS / POLICY).read_bytes()).hexdigest()
    assert (file["filename"], file["content_type"], file["language"]) == (POLICY, "application/pdf", "en")
    assert len(whole["text"]) == min(file["character_count"] + file["page_count"] - 1, 50_000)
    status, text = await desk.ask("text", url=desk.url(POLICY), format="pdf")
    assert status == 200
    assert [page["page_number"] for page in text["pages"]] == list(range(1, file["page_count"] + 1))
    assert sum(len(page["text"]) for page in text["pages"]) <= 50_000
    status, part = await desk.ask("text", url=desk.url(POLICY), first_page=2, last_page=3, char_start=10)
    assert [page["text"] for page in part["pages"]] == [text["pages"][1]["text"][10:], text["pages"][2]["text"]]
    assert (part["is_truncated"], part["pages"][0]["char_start"], part["pages"][1]["char_start"]) == (False, 10, 0)
    status, rest = await desk.ask("documents", url=desk.url(POLICY), char_start=100)
    assert (rest["text"], rest["outline"], rest["tables"]) == (whole["text"][100:] + rest["text"][49_900:], [], [])
    assert desk.served == [POLICY]
    found = await desk.api.client.get("/api/v1/documents", headers=desk.reader.headers)
    assert found.json()["total"] == 0


async def test_chunks_have_the_sizes_of_their_type_and_following_the_offset_gives_each_once(desk: Desk) -> None:
    seen: list[int] = []
    while True:
        status, part = await desk.ask("chunks", url=desk.url(POLICY), offset=len(seen), limit=10)
        assert (status, part["chunk_characters"], part["overlap_characters"]) == (200, 1_500, 300)
        seen += [chunk["chunk_index"] for chunk in part["chunks"]]
        assert all(not chunk.keys() & {"score", "semantic_rank", "keyword_rank"} for chunk in part["chunks"])
        if len(seen) == part["chunk_count"]:
            break
    assert seen == list(range(len(seen)))
    assert len(seen) > 20


async def test_the_chunks_that_fit_a_question_come_first(desk: Desk) -> None:
    status, found = await desk.ask(
        "retrieval", url=desk.url(POLICY), query="enhanced due diligence politically exposed persons", top_k=3
    )
    assert status == 200, found
    assert "due diligence" in found["chunks"][0]["text"].lower()
    scores = [chunk["score"] for chunk in found["chunks"]]
    assert len(scores) == 3
    assert scores[0] == max(scores)
    assert all(0 <= chunk["importance"] <= 1 for chunk in found["chunks"])


async def test_an_installation_that_reranks_its_searches_reranks_the_chunks_of_a_file(
    database: ThrowawayDatabase, tmp_path: Path, desk: Desk
) -> None:
    question = {"url": desk.url(POLICY), "query": "enhanced due diligence politically exposed persons"}
    _, plain = await desk.ask("retrieval", **question, top_k=8)
    assert plain["reranking"] is None
    favourite = plain["chunks"][5]["text"]
    with rerank_server(lambda passage: float(favourite in passage)) as server:
        settings = settings_of(database, tmp_path)
        settings.reranking = RerankingSettings.model_validate(
            {"provider": f"rerank:{server.url}", "is_default": True}, by_name=True
        )
        async with open_api(settings, is_new=True) as again:
            later = Desk(again, desk.reader, desk.port, desk.served)
            status, found = await later.ask("retrieval", **question, top_k=5)
            assert status == 200, found
            assert (found["reranking"]["state"], len(found["chunks"])) == ("applied", 5)
            assert len(server.requests[0]["documents"]) == found["reranking"]["chunks"] == 20
            before, after = ([chunk["text"] for chunk in one["chunks"]] for one in (plain, found))
            assert favourite in after
            assert after.index(favourite) < before.index(favourite)
            scores = [chunk["score"] for chunk in found["chunks"]]
            assert scores == [chunk["score"] for chunk in plain["chunks"][:5]]
            server.status = 500
            _, fused = await later.ask("retrieval", **question, top_k=5)
            assert fused["reranking"]["state"] == "failed"
            assert [chunk["text"] for chunk in fused["chunks"]] == before[:5]


async def test_rows_of_a_spreadsheet_are_found_by_their_words(desk: Desk) -> None:
    status, tables = await desk.ask("tables", url=desk.url("sales.csv"), format="csv")
    assert tables["file"]["filename"] == "sales.csv"
    assert status == 200, tables
    (table,) = tables["tables"]
    assert (table["row_count"], len(table["rows"]), table["is_truncated"]) == (60, 20, True)
    assert [(column["name"], column["kind"]) for column in table["columns"]] == [
        ("Branch", "text"), ("Month", "text"), ("Net sales", "number"),
    ]  # fmt: skip
    status, rows = await desk.ask("rows", url=desk.url("sales.csv"), query="net sales of town 42")
    assert status == 200, rows
    assert rows["rows"][0]["values"] == {"Branch": "Town 42", "Month": "2025-07", "Net sales": "42000"}
    assert len(rows["rows"]) <= 20
    status, unknown = await desk.ask("rows", url=desk.url("sales.csv"), sheet="Nowhere")
    assert (status, unknown["code"]) == (422, "wrong_format")


async def test_actors_share_no_cached_files(desk: Desk) -> None:
    for reader in (desk.reader, await desk.api.person("reader"), desk.reader):
        assert (await replace(desk, reader=reader).ask("text", url=desk.url(POLICY), format="pdf"))[0] == 200
    assert desk.served == [POLICY, POLICY]


async def test_bytes_may_be_sent_instead_of_an_address(desk: Desk) -> None:
    content = base64.encodebytes(SALES.encode()).decode()  # in lines, as a shell writes it
    status, rows = await desk.ask("rows", content=content, query="")
    assert (status, rows["file"]["content_type"]) == (200, "text/csv")
    status, tables = await desk.ask("tables", content=content, format="csv")
    assert (status, tables["tables"][0]["row_count"]) == (200, 60)
    assert desk.served == []


@pytest.mark.parametrize(
    ("operation", "body", "code"),
    [
        ("documents", {}, "validation_error"),
        ("documents", {"url": "http://x.org/", "content": "eA=="}, "validation_error"),
        ("documents", {"content": "not base64!"}, "broken_content"),
        ("documents", {"url": "http://169.254.169.254/latest/meta-data/"}, "host_refused"),
        ("documents", {"url": "file:///etc/passwd"}, "address_refused"),
        ("documents", {"url": "http://127.0.0.1:1/a.pdf"}, "download_failed"),
        ("documents", {"content": base64.b64encode(b"\x7fELF" + bytes(99)).decode()}, "unsupported_type"),
        ("documents", {"content": base64.b64encode(bytes([200]) * 9000).decode()}, "unsupported_type"),
        ("documents", {"content": base64.b64encode(b"GIF89a" + b"pixels" * 50).decode()}, "unsupported_type"),
        ("documents", {"content": base64.b64encode(b"%PDF-1.7 broken").decode()}, "corrupt"),
        ("text", {"content": base64.b64encode(b"words").decode(), "format": "docx"}, "wrong_format"),
        ("rows", {"content": base64.b64encode(b"words").decode(), "query": "x"}, "wrong_format"),
        ("language", {"text": ""}, "validation_error"),
    ],
)
async def test_what_cannot_be_done_is_refused_with_its_code(
    desk: Desk, operation: str, body: dict[str, Any], code: str
) -> None:
    desk.api.app.state.file_processor.fetcher = _hasty(desk)
    status, problem = await desk.ask(operation, **body)
    assert (status >= 400, problem.get("code")) == (True, code), problem


def _hasty(desk: Desk) -> Any:
    """Return a fetcher with short waits between attempts."""
    return replace(desk.api.app.state.file_processor.fetcher, waits_seconds=(0.0, 0.0, 0.0))


async def test_work_that_takes_too_long_is_given_up(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "LONG_SECONDS", 0.001)
    status, problem = await desk.ask("documents", url=desk.url(POLICY))
    assert (status, problem["code"]) == (504, "extract_timed_out")


async def test_cache_survives_a_restart_is_reported_and_can_be_cleared(
    database: ThrowawayDatabase, tmp_path: Path, desk: Desk
) -> None:
    await desk.ask("retrieval", url=desk.url(POLICY), query="policy")
    async with open_api(settings_of(database, tmp_path), is_new=True) as again:
        later = Desk(again, desk.reader, desk.port, desk.served)
        status, _ = await later.ask("retrieval", url=desk.url(POLICY), query="customers")
        assert (status, desk.served) == (200, [POLICY])
        answer = await again.client.get("/api/v1/extracts/caches", headers=later.reader.headers)
        caches = {cache["name"]: cache for cache in answer.json()["caches"]}
        assert {name: (one["entries"], one["hits"], one["max_entries"]) for name, one in caches.items()} == {
            "download": (1, 1, 50), "document": (1, 1, 50), "retriever": (1, 1, 20),
        }  # fmt: skip


async def test_caches_are_cleared_only_with_write_access(desk: Desk) -> None:
    admin = await desk.api.person("admin")
    read_key = await desk.api.key(admin, toolsets=["extract"])
    for headers in (desk.reader.headers, read_key):
        refused = await desk.api.client.delete("/api/v1/extracts/caches", headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (403, "read_only")
        assert "--write" in refused.json()["hint"]


async def test_results_are_cached_for_each_principal(desk: Desk) -> None:
    admin = await desk.api.person("admin")
    keys = [await desk.api.key(admin, toolsets=["extract"], can_write=True) for _ in range(2)]
    body = {"url": desk.url(POLICY), "format": "pdf"}
    for _ in range(2):
        assert (await desk.api.client.post("/api/v1/extracts/text", json=body, headers=keys[0], timeout=60)).is_success
    health = (await desk.api.client.get("/api/v1/extracts/health", headers=keys[1])).json()
    for facts in health["caches"]:
        assert (facts["entries"], facts["size_bytes"], facts["hits"], facts["misses"]) == (0, 0, 0, 0)
    assert (await desk.api.client.delete("/api/v1/extracts/caches", headers=keys[1])).json() == {"cleared": 0}
    assert (await desk.api.client.post("/api/v1/extracts/text", json=body, headers=keys[1], timeout=60)).is_success
    assert desk.served == [POLICY, POLICY], "another principal's result answers no faster"
    assert (await desk.api.client.delete("/api/v1/extracts/caches", headers=keys[0])).json() == {"cleared": 2}


async def test_a_key_needs_the_toolset(desk: Desk) -> None:
    admin = await desk.api.person("admin")
    for toolsets, status in ((["search"], 403), (["extract"], 200)):
        headers = await desk.api.key(admin, toolsets=toolsets)
        answer = await desk.api.client.get("/api/v1/extracts/health", headers=headers)
        assert answer.status_code == status
    assert answer.json()["embedding_model"].startswith("hash")


async def test_the_language_of_a_text_and_the_formats_that_are_read(desk: Desk) -> None:
    status, told = await desk.ask("language", text="Il comitato si è riunito martedì per discutere il bilancio.")
    assert (status, told["language"], told["name"], told["confidence"]) == (200, "it", "Italian", 1.0)
    formats = (await desk.api.client.get("/api/v1/extracts/formats", headers=desk.reader.headers)).json()["formats"]
    assert {"PDF", "DOCX", "CSV"} <= {one["name"] for one in formats}
