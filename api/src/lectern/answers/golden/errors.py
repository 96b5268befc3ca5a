"""What can be wrong with golden queries."""

from lectern.errors import NotFound


class ChunkNotFound(NotFound):
    """This page has no passage with this id."""

    code = "chunk_not_found"
    default_hint = "Search again: the document may have a newer version. Without `chunk_id` the page is marked."


class GoldenQueryNotFound(NotFound):
    """No golden query that you may remove has this id."""

    code = "golden_query_not_found"
