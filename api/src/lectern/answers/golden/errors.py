"""What can be wrong with golden queries."""

from lectern.errors import NotFound


class GoldenQueryNotFound(NotFound):
    """No golden query that you may remove has this id."""

    code = "golden_query_not_found"
