"""The toolset `answers`: cited answers, passages and counts."""

from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import BaseModel, BeforeValidator, Field

from lectern_mcp import api_models as api
from lectern_mcp.api_client import ApiClient
from lectern_mcp.links import handle, web_link
from lectern_mcp.tools import document_stats
from lectern_mcp.tools.declaration import BUDGET, DocumentOrAll, MaxTokens, Query, TopK, reading_tool
from lectern_mcp.tools.passages import SCORE_DIGITS, SearchResult, search_answer
from lectern_mcp.tools.relay import ToolAnswer, relay

ANSWERING_SECONDS = 120.0
# With `thread_id` the answer is saved, and asking again saves it again.
SAVING = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
Question = Annotated[str, Field(min_length=1, max_length=4_000, description="In any language.")]
ThreadId = Annotated[
    str | None,
    Field(description='"new": save the answer in a thread. Its id: ask a follow-up ("And in 2024?").'),
]

Explain = Annotated[bool, Field(description="true: with ranks, scores and matched words.")]


class CitedPassage(BaseModel):
    """The document's words that support sentences of the answer. `url` shows them to a person.

    With `basis` `image` the model read the page as an image: nothing was verified against its text.
    """

    number: int
    document: str
    document_id: Annotated[str, BeforeValidator(handle)]
    page_number: int
    last_page_number: int
    section_heading: str | None
    content_type: str
    snippet: str
    score: float
    basis: str = "text"
    url: str = ""


class Sentence(BaseModel):
    text: str
    citations: list[int]


class Nearest(BaseModel):
    """A passage that comes close to an answer. `sentence` is the part of the snippet that comes closest."""

    document: str
    page_number: int
    snippet: str
    sentence: str | None = None
    score: float
    url: str


class QueryAnswer(BaseModel):
    answer: str
    rewritten_question: str | None = None
    thread_id: str | None = None
    outcome: str
    answer_found: bool
    citations: list[CitedPassage]
    sentences: list[Sentence]
    retrieved_count: int
    document_filter: list[str]
    nearest: list[Nearest]
    steps: list[str] = []


def build(client: ApiClient) -> tuple[Tool, ...]:
    """Return the tools of this toolset."""
    return _query_documents(client), _search_chunks(client), document_stats.build(client)


def _query_documents(client: ApiClient) -> Tool:
    async def query_documents(
        *,
        question: Question,
        top_k: TopK = 8,
        document: DocumentOrAll = None,
        thread_id: ThreadId = None,
        max_tokens: MaxTokens = BUDGET,
    ) -> Annotated[CallToolResult, ToolAnswer[QueryAnswer]]:
        """Answer a question from the documents, with a citation for every sentence.

        Use it for a question with a definite answer. To judge passages yourself, use search_chunks.
        Returns outcome, answer and citations (document, page, words). With outcome closest_passages, nearest may hold
        the answer: read it. Only nothing_found says that no passage seems to be about the question.
        """
        named = await _id_of(client, document)
        thread = {} if thread_id in {None, "new"} else {"thread_id": thread_id}
        filters = {"document": named} if named else {}
        body = {"question": question, "top_k": top_k, "save": thread_id is not None, **thread, **filters}
        found = await client.ask(api.AnswerResponse, "POST", "answers", json=body)
        about = found.metadata
        return relay(
            _shown(found),
            message=found.message,
            max_tokens=max_tokens,
            mode=about.mode,
            model=about.model,
            confidence=about.confidence,
            is_vision_used=about.is_vision_used,
            coverage=about.coverage.model_dump(mode="json"),
        )

    return reading_tool(query_documents, "Answer a question", SAVING)


def _shown(found: api.AnswerResponse) -> QueryAnswer:
    """Return the answer with links for its citations, the closest passages and the steps."""
    shown = QueryAnswer.model_validate(found.data.model_dump(mode="json", exclude={"nearest"}) | {"nearest": []})
    shown.nearest = [_nearest(passage) for passage in found.data.nearest]
    for citation, given in zip(shown.citations, found.data.citations, strict=True):
        citation.url = web_link(
            given.document_id,
            given.page_number,
            last_page=given.last_page_number,
            start=given.char_start,
            end=given.char_end,
        )
    shown.steps = _steps(found.metadata.trace)
    return shown


def _nearest(passage: api.ClosestSource) -> Nearest:
    marked = passage.sentence
    return Nearest(
        document=passage.document,
        page_number=passage.page_number,
        snippet=passage.snippet,
        sentence=passage.snippet[marked.start : marked.end] if marked else None,
        score=round(passage.score, SCORE_DIGITS),
        url=web_link(
            passage.document_id, passage.page_number, start=passage.char_start or 0, end=passage.char_end or 0
        ),
    )


def _steps(trace: api.AnswerTrace | None) -> list[str]:
    """Return the cells and the calculation in short. They are last, so a small token budget leaves them out."""
    if trace is None or trace.route != "multi_step":
        return []
    cells = [
        f"{cell.id} {cell.label} {cell.period} = {cell.value}, {cell.document} p. {cell.page_number}"
        for cell in trace.evidence or []
    ]
    refusal = trace.calculation.refusal if trace.calculation else None
    lines = [line.result for line in trace.calculation.lines] if trace.calculation else []
    stopped = [f"stopped: limit of {trace.stopped_by} reached"] if trace.stopped_by else []
    return [*cells, *lines, *([f"not calculated: {refusal.detail}"] if refusal else []), *stopped]


def _search_chunks(client: ApiClient) -> Tool:
    async def search_chunks(
        *,
        query: Query,
        top_k: TopK = 10,
        document: DocumentOrAll = None,
        explain: Explain = False,
        max_tokens: MaxTokens = BUDGET,
    ) -> Annotated[CallToolResult, SearchResult]:
        """Find passages in one document or in all, best first, without an answer.

        Use it to read the evidence yourself. For an answer, use query_documents. Returns the same as search.
        """
        named = await _id_of(client, document)
        filters = {"documents": [named]} if named else {}
        filters |= {"explain": True} if explain else {}
        response = await client.search(query=query, top_k=top_k, **filters)
        return search_answer(response, max_tokens=max_tokens)

    return reading_tool(search_chunks, "Find passages")


async def _id_of(client: ApiClient, document: str | None) -> str | None:
    return str((await client.get_named_document(document)).id) if document else None
