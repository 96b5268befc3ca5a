"""Every reranker meets the contract of the port and reports its failures."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr

from lectern.search.errors import RerankingMisconfigured, RerankingRejected, RerankingUnavailable
from lectern.search.reranking import cross_encoder
from lectern.search.reranking.provider import Reranker
from lectern.search.reranking.registry import RERANKERS, create_reranker
from lectern.settings import RerankingSettings

from .rerank_server import RerankServer, rerank_server
from .tiny_cross_encoder import write_tiny_cross_encoder

PASSAGES = ["pears", "apples and pears", "apples"]
LIKES_APPLES = {"apples": 1.0, "pears": -1.0}


def liking_apples(passage: str) -> float:
    return sum(LIKES_APPLES.get(word, 0.0) for word in passage.split())


@asynccontextmanager
async def reranker_of(provider: str, **settings: object) -> AsyncGenerator[Reranker]:
    made = create_reranker(RerankingSettings.model_validate({"provider": provider, **settings}, by_name=True))
    assert made is not None
    try:
        yield made
    finally:
        await made.close()


def make_provider(kind: str, folder: Path, server: RerankServer) -> str:
    if kind == "onnx":
        return f"onnx:{write_tiny_cross_encoder(folder / 'model', LIKES_APPLES)}"
    return f"{kind}:{server.url}"


@pytest.mark.parametrize("kind", [kind for kind in RERANKERS if kind != "local"])
async def test_reranker_scores_each_chunk(kind: str, tmp_path: Path) -> None:
    with rerank_server(liking_apples) as server:
        async with reranker_of(make_provider(kind, tmp_path, server)) as reranker:
            scores = await reranker.score("fruit", PASSAGES)

    assert len(scores) == len(PASSAGES)
    assert scores[2] > scores[1] > scores[0]


async def test_each_protocol_sends_the_expected_request() -> None:
    with rerank_server(liking_apples) as server:
        async with reranker_of(f"rerank:{server.url}", model="m", api_key=SecretStr("k")) as reranker:
            await reranker.score("fruit", PASSAGES)
        async with reranker_of(f"tei:{server.url}") as reranker:
            await reranker.score("fruit", PASSAGES)

    assert server.requests == [
        {"model": "m", "query": "fruit", "documents": PASSAGES, "authorization": "Bearer k"},
        {"query": "fruit", "texts": PASSAGES, "truncate": True, "authorization": None},
    ]


@pytest.mark.parametrize(
    "answer",
    [
        {"results": [{"index": 0, "relevance_score": 1.0}]},
        {"results": [{"index": index, "relevance_score": 1.0} for index in (0, 1, 1)]},
        {"results": [{"index": index, "relevance_score": "NaN"} for index in range(3)]},
        {"detail": "what?"},
        [],
    ],
)
async def test_response_without_a_score_per_chunk_is_rejected(answer: object) -> None:
    with rerank_server(liking_apples) as server:
        server.answer = answer
        async with reranker_of(f"rerank:{server.url}") as reranker:
            with pytest.raises(RerankingRejected, match="one score per chunk"):
                await reranker.score("fruit", PASSAGES)


@pytest.mark.parametrize(
    ("status", "error"), [(500, RerankingUnavailable), (429, RerankingUnavailable), (401, RerankingRejected)]
)
async def test_error_has_the_status_but_not_the_response_body(status: int, error: type[Exception]) -> None:
    with rerank_server(liking_apples) as server:
        server.status, server.answer = status, {"error": "your key sk-123"}
        async with reranker_of(f"rerank:{server.url}") as reranker:
            with pytest.raises(error, match=f"answered {status}") as raised:
                await reranker.score("fruit", PASSAGES)
    assert "sk-123" not in str(raised.value)


async def test_slow_or_missing_server_times_out() -> None:
    with rerank_server(liking_apples) as server:
        server.pause_seconds = 0.5
        async with reranker_of(f"rerank:{server.url}", timeout_seconds=0.05) as reranker:
            with pytest.raises(RerankingUnavailable, match="in time"):
                await reranker.score("fruit", PASSAGES)
    async with reranker_of(f"rerank:{server.url}") as reranker:
        with pytest.raises(RerankingUnavailable, match="cannot be reached"):
            await reranker.score("fruit", PASSAGES)


async def test_slow_model_times_out(tmp_path: Path) -> None:
    folder = write_tiny_cross_encoder(tmp_path / "model", LIKES_APPLES)
    async with reranker_of(f"onnx:{folder}", timeout_seconds=0.000_001) as reranker:
        with pytest.raises(RerankingUnavailable, match="in time"):
            await reranker.score("fruit", PASSAGES * 1_000)


async def test_chunk_longer_than_the_model_limit_is_truncated(tmp_path: Path) -> None:
    folder = write_tiny_cross_encoder(tmp_path / "model", LIKES_APPLES)
    async with reranker_of(f"onnx:{folder}") as reranker:
        (score,) = await reranker.score("fruit", ["apples " * 10_000])
    assert score == pytest.approx((512 - 4) / 512)  # 4 of 512 tokens are query and separators


def no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross_encoder, "_PACKAGE", "no_such_package")


def other_files(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(__file__).parent / "packaged"
    monkeypatch.setattr(cross_encoder, "_PACKAGE", "lectern")
    monkeypatch.setattr(cross_encoder, "_FOLDER", Path(".."))
    monkeypatch.setattr(cross_encoder, "_SHA256", {"lectern/__init__.py": "0" * 64})
    assert not folder.exists()


@pytest.mark.parametrize(("prepare", "said"), [(no_package, "not installed"), (other_files, "not the file")])
def test_missing_or_different_packaged_model_is_rejected(
    prepare: Callable[[pytest.MonkeyPatch], None], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(monkeypatch)
    with pytest.raises(RerankingMisconfigured, match=said):
        create_reranker(RerankingSettings.model_validate({"provider": "local"}, by_name=True))


@pytest.mark.parametrize("provider", ["colour", "onnx:", "onnx:/nowhere", "rerank:", "tei:ftp://host", "local:x"])
def test_unknown_reranker_setting_is_rejected(provider: str) -> None:
    with pytest.raises(RerankingMisconfigured):
        create_reranker(RerankingSettings.model_validate({"provider": provider}, by_name=True))


def test_reranker_is_off_without_the_setting() -> None:
    assert create_reranker(RerankingSettings()) is None
