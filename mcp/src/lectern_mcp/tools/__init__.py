"""The tools, one file each, and the toolsets they are switched on in."""

from lectern_mcp.tools import list_documents, list_tags, search, search_by_document, search_by_tag

SEARCH = (search, search_by_tag, search_by_document, list_documents, list_tags)
TOOLSETS = {"search": SEARCH}
