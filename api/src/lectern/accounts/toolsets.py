"""Toolsets: the rights of an API key, as operations of the REST API and as tools of the MCP service.

A key may call the operations of its toolsets. Operations that no toolset has are for users only.
"""

from collections.abc import Sequence
from typing import Final, Literal

from lectern.accounts.errors import PeopleOnly, ReadOnly, ToolsetRequired

Toolset = Literal["search", "answers", "library", "extract", "connector"]

_RECORDS: Final = (
    "list_documents", "get_document", "get_named_document", "get_document_outline", "list_document_pages",
    "get_document_page", "get_document_page_image", "get_document_rectangles", "list_document_chunks",
    "find_in_document", "list_tags", "get_tag", "list_collections", "get_collection", "get_named_collection",
    "list_jobs", "get_job", "stream_all_events", "stream_document_events",
)  # fmt: skip
"""Records, pages and passages of documents: for every toolset that works on the library."""

_CHANGES_OF_DOCUMENTS: Final = (
    "upload_documents", "add_document_from_url", "change_documents", "update_document", "delete_document",
    "restore_document", "ingest_document", "replace_document_content", "restore_document_version", "load_samples",
    "create_tag", "update_tag", "delete_tag", "merge_tags", "retry_job", "cancel_job", "ingest_collection_folder",
)  # fmt: skip
CHANGES: Final = frozenset({*_CHANGES_OF_DOCUMENTS, "create_golden_query", "clear_extracts_caches"})
"""Operations that also need write access."""

OPERATIONS: Final[dict[Toolset, frozenset[str]]] = {
    "search": frozenset({*_RECORDS, "search", "why"}),
    "answers": frozenset({
        *_RECORDS, "search", "why", "create_answer", "list_answers", "get_answer", "delete_answer", "delete_answers",
        "list_threads", "get_thread", "update_thread", "delete_thread", "put_answer_feedback", "get_document_stats",
        "list_golden_queries", "create_golden_query", "delete_golden_query", "create_chat_completion",
        "list_chat_models", "get_chat_model",
    }),
    "library": frozenset({
        *_RECORDS, "get_document_content", "get_document_original", "list_document_versions", "get_version_original",
        "list_document_copies", "get_document_stats", "verify_quote", "get_samples", *_CHANGES_OF_DOCUMENTS,
    }),
    "extract": frozenset({
        "process_file", "extract_file_text", "extract_file_tables", "chunk_file", "retrieve_file_chunks",
        "query_file_rows", "detect_text_language", "get_extracts_health", "get_extracts_caches",
        "clear_extracts_caches",
    }),
    "connector": frozenset({*_RECORDS, "search", "get_document_content"}),
}  # fmt: skip
EVERY_KEY: Final = frozenset({"get_me", "list_file_formats"})
TOOLS: Final[dict[Toolset, tuple[str, ...]]] = {
    "search": ("search", "search_by_tag", "search_by_document", "list_documents", "list_tags"),
    "answers": ("query_documents", "search_chunks", "document_stats"),
    "library": (
        "list_collections", "get_document_content", "get_document_original", "document_stats", "verify_quote",
        "ingest_now", "get_document_summary", "get_outline", "read_pages", "find_in_document", "show_page",
        "add_document",
    ),
    "extract": (
        "process_document", "chunk_document", "retrieve_chunks", "query_spreadsheet", "extract_pdf_text",
        "extract_docx_text", "extract_pptx_text", "extract_image_text", "extract_xlsx_tables", "extract_csv_tables",
        "detect_language", "get_system_health", "manage_cache",
    ),
    "connector": ("search", "fetch"),
}  # fmt: skip


def require_operation(operation: str, toolsets: Sequence[str], *, can_write: bool) -> None:
    """Check that a key may call an operation. Raises PeopleOnly, ReadOnly, ToolsetRequired."""
    if operation in EVERY_KEY:
        return
    having = [name for name, operations in OPERATIONS.items() if operation in operations]
    if not having:
        raise PeopleOnly
    if operation in CHANGES and not can_write:
        raise ReadOnly
    if not set(having) & set(toolsets):
        hint = f"Use a key that has it: `lectern keys create NAME --toolset {having[0]}`."
        raise ToolsetRequired(f"This key lacks the toolset `{'` or `'.join(having)}`.", hint=hint)


def default_toolsets(*, can_write: bool) -> list[Toolset]:
    """Return the toolsets of a new key for which none were chosen. Changes of documents are in `library`."""
    return ["search", "library"] if can_write else ["search"]


def list_operations(toolsets: Sequence[str], *, can_write: bool) -> list[str]:
    """List the operations that a key may call."""
    allowed = EVERY_KEY.union(*(names for toolset, names in OPERATIONS.items() if toolset in toolsets))
    return sorted(allowed if can_write else allowed - CHANGES)


def list_tools(toolsets: Sequence[str]) -> list[str]:
    """List the tools of the MCP service that a key with these toolsets may call, if the service offers them."""
    return list(dict.fromkeys(tool for toolset in TOOLS if toolset in toolsets for tool in TOOLS[toolset]))
