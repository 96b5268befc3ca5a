"""Checks of requests: cross-site request forgery and unknown query parameters."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from fastapi import Request
from fastapi.routing import APIRoute
from pydantic import BaseModel

from lectern.errors import InvalidRequest
from lectern.http.errors import CrossSiteRequest, UnknownParameter
from lectern.http.schemas import is_storable

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_MAX_UNKNOWN: Final = 20
_MAX_NAMED: Final = 5
_MAX_NAME_CHARACTERS: Final = 60
_OWN_SITES: Final = frozenset({"same-origin", "none"})


def query_parameters(route: APIRoute) -> frozenset[str] | None:
    """Return the query parameters of an endpoint and its dependencies. None: it accepts unknown ones."""
    names: set[str] = set()
    dependants = [route.dependant]
    while dependants:
        dependant = dependants.pop()
        dependants += dependant.dependencies
        for field in dependant.query_params:
            model: object = field.field_info.annotation
            if isinstance(model, type) and issubclass(model, BaseModel):
                if model.model_config.get("extra") == "allow":
                    return None
                names |= set(model.model_fields)
            else:
                names.add(field.alias)
    return frozenset(names)


async def refuse_unknown_parameters(request: Request) -> None:
    """Check the query parameters of every request.

    Raises:
        UnknownParameter: Lists the unknown and the known parameters.
        InvalidRequest: A value contains a character that is not text.
    """
    if not request.query_params:
        return
    route: Any = request.scope.get("route")
    known = query_parameters(route) if isinstance(route, APIRoute) else frozenset[str]()
    unknown = sorted({name for name in request.query_params if known is not None and name not in known})
    if known is not None and unknown:
        listed = ", ".join(sorted(known)) or "none"
        names = [ascii(name[:_MAX_NAME_CHARACTERS])[1:-1] for name in unknown[:_MAX_UNKNOWN]]
        rest = len(unknown) - len(names)
        more = " and more" if len(unknown) > _MAX_NAMED else ""
        raise UnknownParameter(
            f"Unknown query parameters: {', '.join(map(repr, names[:_MAX_NAMED]))}{more}.",
            hint=f"Known parameters: {listed}.",
            details={"unknown": names, "known": sorted(known)} | ({"unknown_omitted": rest} if rest else {}),
        )
    for name, value in request.query_params.multi_items():
        if not is_storable(value):
            raise InvalidRequest(f"query.{name}: NUL characters are not text.")


def refuse_cross_site(method: str, headers: Mapping[str, str], *, allowed_origins: Collection[str] = ()) -> None:
    """Check that a change authenticated by a cookie comes from our own pages.

    Browsers send the origin of a request in Sec-Fetch-Site, which pages cannot set. Older browsers must send
    X-Requested-With instead, which another site cannot send without a preflight request.

    Raises:
        CrossSiteRequest: The request comes from another site.
    """
    if method in SAFE_METHODS or headers.get("origin") in allowed_origins:
        return
    site = headers.get("sec-fetch-site")
    if site not in _OWN_SITES if site is not None else "x-requested-with" not in headers:
        raise CrossSiteRequest
