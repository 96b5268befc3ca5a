"""Errors of requests before they reach an endpoint."""

from typing import ClassVar

from lectern.errors import Forbidden, InvalidRequest, LecternError, TooLarge


class BrokenCursor(InvalidRequest):
    """This cursor does not belong to this list."""

    default_hint = "Start again from the first page. A cursor is valid only with the same filters and sort order."


class UnknownParameter(InvalidRequest):
    """This request has an unknown query parameter."""


class BodyTooLarge(TooLarge):
    """The body of this request is larger than the limit."""

    default_hint = "Send less at a time, or upload it as a file."


class BodyTooComplex(InvalidRequest):
    """The body of this request has too many values."""

    default_hint = "Send several smaller requests."


class BodyTooSlow(LecternError):
    """The body of this request did not arrive in time."""

    status: ClassVar[int] = 408
    default_hint = "Send the request again over a faster connection."


class CrossSiteRequest(Forbidden):
    """A change authenticated by a cookie must come from this site."""

    default_hint = "Reload the page. Programs: send `Authorization: Bearer`, or `X-Requested-With` with the cookie."


class RouteNotFound(LecternError):
    """This URL does not exist."""

    status: ClassVar[int] = 404
    default_hint = "Endpoints begin with /api/v1 and are listed at /docs. The MCP service has its own address."


class MethodNotAllowed(LecternError):
    """This endpoint does not support this method."""

    status: ClassVar[int] = 405
    default_hint = "The methods of each endpoint are listed at /docs."
