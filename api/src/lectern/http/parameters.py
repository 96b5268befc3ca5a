"""Query parameters that an endpoint does not have are refused by name: a misspelt filter must not search everything."""

from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute
from pydantic import BaseModel

from lectern.errors import InvalidRequest
from lectern.http.errors import UnknownParameter
from lectern.http.schemas import is_storable


def query_parameters(route: APIRoute) -> frozenset[str]:
    """The names an endpoint and its dependencies read from the query string."""
    names: set[str] = set()
    dependants = [route.dependant]
    while dependants:
        dependant = dependants.pop()
        dependants += dependant.dependencies
        for field in dependant.query_params:
            model: object = field.field_info.annotation
            if isinstance(model, type) and issubclass(model, BaseModel):
                names |= set(model.model_fields)
            else:
                names.add(field.alias)
    return frozenset(names)


async def refuse_unknown_parameters(request: Request) -> None:
    """A dependency of the whole application.

    Raises:
        UnknownParameter: Names them and lists the known ones.
        InvalidRequest: A value holds a character that is not text.
    """
    if not request.query_params:
        return
    route: Any = request.scope.get("route")
    known = query_parameters(route) if isinstance(route, APIRoute) else frozenset[str]()
    unknown = sorted({name for name in request.query_params if name not in known})
    if unknown:
        listed = ", ".join(sorted(known)) or "none"
        raise UnknownParameter(
            f"Unknown query parameters: {', '.join(map(ascii, unknown))}. Known here: {listed}.",
            details={"unknown": [ascii(name)[1:-1] for name in unknown], "known": sorted(known)},
        )
    for name, value in request.query_params.multi_items():
        if not is_storable(value):
            raise InvalidRequest(f"query.{name}: NUL characters are not text.")
