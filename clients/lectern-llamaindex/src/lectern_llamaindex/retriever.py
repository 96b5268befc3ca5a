"""The retriever."""

from llama_index.core.callbacks import CallbackManager
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeRelationship, NodeWithScore, QueryBundle, RelatedNodeInfo, TextNode
from pydantic import ValidationError

from lectern_client import LecternClient, Passage, SearchMode, SearchOptions, TagFilter
from lectern_client.passages import Citation, invalid_arguments

_FOR_MODELS = {"document", "title", "section", "page"}
"""A language model reads these with the passage. Rectangles and ids would only cost tokens."""


class LecternRetriever(BaseRetriever):
    """Retrieve passages of a Lectern library.

    A node has the passage as text and a `lectern_client.Citation` as `metadata`.
    Every failure is a `lectern_client.LecternError`.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        limit: int = 5,
        document_tags: list[str] | TagFilter | None = None,
        documents: list[str] | None = None,
        collections: list[str] | None = None,
        mode: SearchMode = "hybrid",
        timeout_seconds: float = 30,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        """Keep the address of the API, a key with the toolset `search`, and the search arguments.

        Raises:
            InvalidSearch: An argument is not valid.
        """
        super().__init__(callback_manager=callback_manager)  # pyright: ignore[reportUnknownMemberType]  # a bare Dict of theirs
        filters = {"tags": document_tags or [], "documents": documents or [], "collections": collections or []}
        try:
            self._options = SearchOptions.model_validate({**filters, "limit": limit, "mode": mode})
        except ValidationError as error:
            raise invalid_arguments(error) from None
        self._client = LecternClient(url, key, timeout_seconds=timeout_seconds)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [_node(passage) for passage in self._client.search(query_bundle.query_str, self._options)]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [_node(passage) for passage in await self._client.asearch(query_bundle.query_str, self._options)]


def _node(passage: Passage) -> NodeWithScore:
    citation = passage.citation
    hidden = sorted(Citation.__annotations__.keys() - _FOR_MODELS)
    node = TextNode(
        id_=citation["chunk_id"],
        text=passage.text,
        metadata=dict(citation),
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=citation["document_id"])},
        excluded_llm_metadata_keys=hidden,
        excluded_embed_metadata_keys=hidden,
    )
    return NodeWithScore(node=node, score=citation["score"])
