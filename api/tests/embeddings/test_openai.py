"""The OpenAI protocol against a real server on loopback, also when it is busy, broken, slow or another one."""

import logging
from collections.abc import Callable

import numpy as np
import pytest
from pydantic import SecretStr

from lectern.embeddings.errors import EmbeddingsMismatch, EmbeddingsRejected, EmbeddingsUnavailable
from lectern.embeddings.providers.openai import BATCH_SIZE, OpenAIProvider

from .openai_server import OpenAIServer, Trouble

SECRET = "sk-very-secret-0123456789"

Connect = Callable[..., OpenAIProvider]


@pytest.fixture
def connect(server: OpenAIServer) -> Connect:
    def make(*, max_retries: int = 5, timeout_seconds: float = 10, model: str = "some-model") -> OpenAIProvider:
        return OpenAIProvider(
            model=model,
            dimensions=server.dimensions,
            api_key=SecretStr(SECRET),
            base_url=server.url,
            timeout_seconds=timeout_seconds,
            max_retries=max_retries,
        )

    return make


async def test_many_texts_travel_in_batches_and_come_back_in_order(server: OpenAIServer, connect: Connect) -> None:
    server.is_shuffling = True
    texts = [f"text number{number}" for number in range(BATCH_SIZE * 2 + 1)]

    provider = connect()
    vectors = await provider.embed_documents(texts)

    assert [len(request["input"]) for request in server.requests] == [BATCH_SIZE, BATCH_SIZE, 1]
    assert np.array_equal(vectors[200], (await provider.embed_documents([texts[200]]))[0])


async def test_long_texts_travel_in_smaller_batches(server: OpenAIServer, connect: Connect) -> None:
    await connect().embed_documents(["word " * 3000] * 20)

    assert [len(request["input"]) for request in server.requests] == [13, 7]


async def test_a_text_is_shortened_to_what_the_model_reads(server: OpenAIServer, connect: Connect) -> None:
    provider = connect()
    await provider.embed_documents(["è" * 100_000])

    (sent,) = server.requests[0]["input"]
    assert provider.count_tokens(sent) <= provider.info.max_tokens
    assert set(sent) == {"è"}


async def test_the_key_and_the_model_are_sent(server: OpenAIServer, connect: Connect) -> None:
    await connect().embed_query("text")

    assert server.requests[0]["authorization"] == f"Bearer {SECRET}"
    assert server.requests[0]["model"] == "some-model"
    assert server.requests[0]["path"] == "/v1/embeddings"


@pytest.mark.parametrize(("model", "is_sent"), [("text-embedding-3-small", True), ("bge-m3", False)])
async def test_dimensions_are_asked_for_only_where_they_can_be_chosen(
    server: OpenAIServer, connect: Connect, model: str, *, is_sent: bool
) -> None:
    await connect(model=model).embed_query("text")

    assert (server.requests[0].get("dimensions") == server.dimensions) is is_sent


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_busy_or_broken_server_is_asked_again(server: OpenAIServer, connect: Connect, status: int) -> None:
    server.answers = [status, status]
    server.headers = {"retry-after-ms": "1"}

    assert (await connect().embed_documents(["text"])).shape == (1, server.dimensions)
    assert len(server.requests) == 3


async def test_retry_after_of_the_server_is_respected(server: OpenAIServer, connect: Connect) -> None:
    server.answers = [429]
    server.headers = {"retry-after": "2"}

    await connect().embed_documents(["text"])

    first, second = server.arrivals_seconds
    assert second - first >= 2


async def test_a_server_that_stays_busy_is_given_up_and_says_when_to_come_back(
    server: OpenAIServer, connect: Connect
) -> None:
    server.answers = [429] * 3
    server.headers = {"retry-after": "7", "retry-after-ms": "1"}

    with pytest.raises(EmbeddingsUnavailable, match="answered 429") as caught:
        await connect(max_retries=2).embed_documents(["text"])

    assert len(server.requests) == 3
    assert caught.value.details == {"retry_after_seconds": 7}
    assert caught.value.status == 503


async def test_a_query_is_tried_twice_at_most(server: OpenAIServer, connect: Connect) -> None:
    server.answers = [500] * 9
    server.headers = {"retry-after-ms": "1"}

    with pytest.raises(EmbeddingsUnavailable):
        await connect().embed_query("text")

    assert len(server.requests) == 2


async def test_an_empty_account_is_no_passing_trouble(server: OpenAIServer, connect: Connect) -> None:
    server.answers = [429]
    server.error_code = "insufficient_quota"

    with pytest.raises(EmbeddingsRejected, match=r"answered 429 \(insufficient_quota\)"):
        await connect(max_retries=0).embed_documents(["text"])


@pytest.mark.parametrize("status", [400, 401, 404])
async def test_a_refusal_is_final(server: OpenAIServer, connect: Connect, status: int) -> None:
    server.answers = [status]

    with pytest.raises(EmbeddingsRejected, match=f"answered {status}"):
        await connect().embed_documents(["text"])

    assert len(server.requests) == 1


async def test_a_server_that_does_not_answer_in_time_is_unavailable(server: OpenAIServer, connect: Connect) -> None:
    server.answers = [0.5]

    with pytest.raises(EmbeddingsUnavailable, match="it timed out"):
        await connect(max_retries=0, timeout_seconds=0.1).embed_documents(["text"])


async def test_a_server_that_is_not_there_is_unavailable(unused_tcp_port: int) -> None:
    provider = OpenAIProvider(
        model="m", dimensions=3, api_key=None, base_url=f"http://127.0.0.1:{unused_tcp_port}", max_retries=0
    )

    with pytest.raises(EmbeddingsUnavailable, match="cannot be reached"):
        await provider.embed_documents(["text"])


async def test_vectors_of_another_length_are_refused(server: OpenAIServer, connect: Connect) -> None:
    provider = connect()
    server.dimensions = 65

    with pytest.raises(EmbeddingsMismatch, match="returns 65 dimensions, but LECTERN_EMBEDDINGS_DIMENSIONS is 64"):
        await provider.embed_documents(["text"])


@pytest.mark.parametrize(
    ("trouble", "message"),
    [("nan", "not numbers"), ("fewer", "1 vectors for 2 texts"), ("html", "does not return OpenAI embeddings")],
)
async def test_an_answer_that_is_none_is_refused(
    server: OpenAIServer, connect: Connect, trouble: Trouble, message: str
) -> None:
    server.trouble = trouble

    with pytest.raises(EmbeddingsRejected, match=message):
        await connect().embed_documents(["text", "another"])


async def test_a_server_that_knows_no_base64_is_understood(server: OpenAIServer, connect: Connect) -> None:
    expected = await connect().embed_query("some text")
    server.trouble = "numbers"

    assert np.array_equal(await connect().embed_query("some text"), expected)


async def test_the_key_is_in_no_log_and_no_error(
    server: OpenAIServer, connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.answers = [401, 500]

    for _ in range(2):
        with pytest.raises((EmbeddingsRejected, EmbeddingsUnavailable)) as caught:
            await connect(max_retries=0).embed_documents(["text"])
        logging.getLogger("lectern").error("Embedding failed", exc_info=caught.value)

    assert len(server.requests) == 2
    assert "Embedding failed" in caplog.text
    assert SECRET not in caplog.text


def test_models_at_different_addresses_are_different_models() -> None:
    def fingerprint(base_url: str | None) -> str:
        key = SecretStr("key")
        return OpenAIProvider(model="m", dimensions=8, api_key=key, base_url=base_url).info.fingerprint

    assert fingerprint(None) == "openai:m:8"
    assert fingerprint("http://host/v1") == fingerprint("http://host/v1/") != fingerprint("http://other/v1")
