"""What can be wrong with a request before it reaches a room."""

from typing import ClassVar

from lectern.errors import Forbidden, InvalidRequest, LecternError, TooLarge


class BrokenCursor(InvalidRequest):
    """This cursor was not made by this list."""

    code = "broken_cursor"
    default_hint = "Begin again without `cursor`; a cursor is only good for the filters and the order it came from."


class UnknownParameter(InvalidRequest):
    """This request has a query parameter that is not known here."""

    code = "unknown_parameter"


class BodyTooLarge(TooLarge):
    """The body of this request is larger than the limit."""

    code = "body_too_large"
    default_hint = "Files go to POST /api/v1/documents, which has a limit of its own."


class CrossSiteRequest(Forbidden):
    """A change asked for with a cookie must come from this site."""

    code = "cross_site_request"
    default_hint = "Programs: send `Authorization: Bearer`. Browsers without Sec-Fetch-Site: send `X-Requested-With`."


class RouteNotFound(LecternError):
    """There is nothing at this address."""

    status: ClassVar[int] = 404
    code = "route_not_found"
    default_hint = "The addresses are listed at /docs."


class MethodNotAllowed(LecternError):
    """This address does not answer to this method."""

    status: ClassVar[int] = 405
    code = "method_not_allowed"
