"""The toolset `answers`: cited answers, passages and counts."""

from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import BaseModel, Field

from lectern_mcp import api_models as api
from lectern_mcp.api_client import ApiClient
from lectern_mcp.results import SearchResult, search_answer
from lectern_mcp.tools import document_stats
from lectern_mcp.tools.declaration import BUDGET, DocumentOrAll, MaxTokens, Query, TopK, reading_tool
from lectern_mcp.tools.relay import ToolAnswer, relay

ANSWERING_SECONDS = 120.0
Question = Annotated[str, Field(min_length=1, max_length=4_000, description="Question in any language.")]


class CitedPassage(BaseModel):
    """The document's words that support sentences of the answer. `uri` opens their page.

    With `basis` `image` the model read the page as an image: nothing was verified against its text.
    """

    number: int
    document: str
    document_id: str
    page_number: int
    last_page_number: int
    section_heading: str | None
    content_type: str
    snippet: str
    char_start: int
    char_end: int
    score: float
    basis: str = "text"
    uri: str = ""


class Sentence(BaseModel):
    text: str
    citations: list[int]


class Nearest(BaseModel):
    document: str
    page_number: int
    snippet: str
    score: float


class QueryAnswer(BaseModel):
    answer: str
    answer_found: bool
    citations: list[CitedPassage]
    sentences: list[Sentence]
    retrieved_count: int
    document_filter: list[str]
    nearest: list[Nearest]


def build(client: ApiClient) -> tuple[Tool, ...]:
    """Return the tools of this toolset."""
    return _query_documents(client), _search_chunks(client), document_stats.build(client)


def _query_documents(client: ApiClient) -> Tool:
    async def query_documents(
        *, question: Question, top_k: TopK = 8, document: DocumentOrAll = None, max_tokens: MaxTokens = BUDGET
    ) -> Annotated[CallToolResult, ToolAnswer[QueryAnswer]]:
        """Answer a question from the documents, with citations for every sentence, or say that they do not answer it.

        Use it for a question with a definite answer. To read and judge passages yourself, use search_chunks.
        Returns answer, answer_found, citations (document, page, the supporting words) and retrieved_count. Without
        an answer, answer_found is false and nearest has the closest passages. That is not an error.
        """
        named = await _id_of(client, document)
        body = {"question": question, "top_k": top_k, "document": named, "save": False}
        found = await client.ask(api.AnswerResponse, "POST", "answers", json=body)
        answered = QueryAnswer.model_validate(found.data.model_dump(mode="json"))
        for citation in answered.citations:
            citation.uri = f"lectern://documents/{citation.document_id}/pages/{citation.page_number}"
        about = found.metadata
        return relay(
            answered, message=found.message, max_tokens=max_tokens, mode=about.mode, model=about.model,
            confidence=about.confidence, is_vision_used=about.is_vision_used,
            coverage=about.coverage.model_dump(mode="json"),
        )  # fmt: skip

    return reading_tool(query_documents, "Answer a question")


def _search_chunks(client: ApiClient) -> Tool:
    async def search_chunks(
        *, query: Query, top_k: TopK = 10, document: DocumentOrAll = None, max_tokens: MaxTokens = BUDGET
    ) -> Annotated[CallToolResult, SearchResult]:
        """Find passages in one document or in all, best first, without writing an answer.

        Use it to read the evidence yourself. Returns the same as search. An empty result is not an error.
        """
        named = await _id_of(client, document)
        response = await client.search(query=query, top_k=top_k, documents=[named] if named else [])
        return search_answer(response, max_tokens=max_tokens)

    return reading_tool(search_chunks, "Find passages")


async def _id_of(client: ApiClient, document: str | None) -> str | None:
    return str((await client.get_named_document(document)).id) if document else None
