"""Names are completed while a person types, within what the key may see."""

from mcp import Client
from mcp.types import PromptReference, ResourceTemplateReference, TextResourceContents

from fake_api import FakeApi, document, tag

PROMPT = PromptReference(name="answer_with_citations")
TEMPLATE = ResourceTemplateReference(uri="lectern://documents/{document_id}")


async def test_tags_and_documents_are_completed(api: FakeApi, client: Client) -> None:
    api.tags, api.documents = [tag("aml"), tag("travel")], [document(1), document(2)]
    tags = await client.complete(PROMPT, {"name": "tag", "value": "a"})
    assert (tags.completion.values, tags.completion.total) == (["aml", "travel"], 2)
    names = await client.complete(PROMPT, {"name": "document", "value": "policy"})
    assert names.completion.values == ["policy-1.pdf", "policy-2.pdf"]
    ids = await client.complete(TEMPLATE, {"name": "document_id", "value": ""})
    assert ids.completion.values == [item["id"] for item in api.documents]
    assert [dict(call.query).get("q") for call in api.calls] == ["a", "policy", None]


async def test_what_cannot_be_completed_has_no_completions(api: FakeApi, client: Client) -> None:
    answer = await client.complete(PROMPT, {"name": "question", "value": "Who"})
    assert answer.completion.values == []
    endless = await client.complete(PROMPT, {"name": "tag", "value": "x" * 5_000})
    assert endless.completion.values == []
    assert api.calls == []


async def test_the_tools_of_a_key_are_described_in_one_resource(client: Client) -> None:
    (contents,) = (await client.read_resource("rag://tool-descriptions")).contents
    assert isinstance(contents, TextResourceContents)
    assert contents.text.count("## ") == 5
    assert "## search_by_tag\n\nFind passages only in documents" in contents.text
