"""The retriever."""

from functools import cached_property

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field, SecretStr, ValidationError

from lectern_client import LecternClient, Passage, SearchMode, SearchOptions, TagFilter
from lectern_client.passages import invalid_arguments

_OPTIONS = ("limit", "document_tags", "documents", "collections", "mode")


class LecternRetriever(BaseRetriever):
    """Retrieve passages of a Lectern library.

    A document has the passage as `page_content` and a `lectern_client.Citation` as `metadata`.
    The search arguments can also be passed to one call: `retriever.invoke(query, limit=3)`.
    Every failure is a `lectern_client.LecternError`.
    """

    model_config = ConfigDict(extra="forbid", ignored_types=(cached_property,))

    url: str = Field(description="Address of the API, for example http://127.0.0.1:8000.")
    key: SecretStr = Field(description="API key with the toolset `search`.")
    limit: int = Field(default=5, ge=1, le=20, description="Number of passages.")
    document_tags: list[str] | TagFilter = Field(
        default=[], description="Tag names. A list means any of them. (`tags` are those of LangChain's traces.)"
    )
    documents: list[str] = Field(default=[], description="Ids or filenames.")
    collections: list[str] = Field(default=[], description="Ids or names.")
    mode: SearchMode = Field(default="hybrid", description="Keyword and semantic search, or semantic search only.")
    timeout_seconds: float = Field(default=30, gt=0)

    @cached_property
    def _client(self) -> LecternClient:
        return LecternClient(self.url, self.key.get_secret_value(), timeout_seconds=self.timeout_seconds)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **arguments: object
    ) -> list[Document]:
        del run_manager
        return [_document(passage) for passage in self._client.search(query, self._options(arguments))]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **arguments: object
    ) -> list[Document]:
        del run_manager
        return [_document(passage) for passage in await self._client.asearch(query, self._options(arguments))]

    def _options(self, arguments: dict[str, object]) -> SearchOptions:
        wanted: dict[str, object] = {name: getattr(self, name) for name in _OPTIONS} | arguments
        wanted["tags"] = wanted.pop("document_tags")
        try:
            return SearchOptions.model_validate(wanted)
        except ValidationError as error:
            raise invalid_arguments(error) from None


def _document(passage: Passage) -> Document:
    return Document(page_content=passage.text, metadata=dict(passage.citation), id=passage.citation["chunk_id"])
