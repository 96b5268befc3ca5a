"""Complete names of documents and tags in arguments of prompts and URIs."""

from mcp.server.mcpserver import MCPServer
from mcp.types import Completion, CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference

from lectern_mcp.api_client import ApiClient
from lectern_mcp.text import one_line

SHOWN = 20
MAX_CHARACTERS = 100
"""No name of a tag is longer, and no one types more than that of a document's."""


def add_completion(server: MCPServer[None], api: ApiClient) -> None:
    @server.completion()
    async def complete(
        _ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        _context: CompletionContext | None,
    ) -> Completion | None:
        """Complete `document`, `tag` and `document_id` by part of the name."""
        if len(typed := argument.value.strip()) > MAX_CHARACTERS:
            return None
        wanted = {"q": typed or None, "limit": SHOWN}
        if argument.name == "tag":
            tags = await api.list_tags(**wanted)
            return _completion(list(dict.fromkeys(one_line(tag.name) for tag in tags.items)), tags.total)
        if argument.name in {"document", "document_id"}:
            documents = await api.list_documents(**wanted)
            is_id = argument.name == "document_id"
            names = [str(item.id) if is_id else one_line(item.filename) for item in documents.items]
            return _completion(names, documents.total)
        return None


def _completion(names: list[str], total: int | None) -> Completion:
    values = list(dict.fromkeys(names))
    return Completion(values=values, total=total, has_more=total is not None and total > len(values))
