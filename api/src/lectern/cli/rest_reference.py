"""`python -m lectern.cli.rest_reference`: the reference of the REST interface, in Markdown."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from lectern.cli.openapi import description

INTRODUCTION: Final = """\
# REST

Everything is below `/api/v1`; `/docs` on a running installation shows the same with every field, and
`api/openapi.json` is the description for programs.

- **Who is asking**: `Authorization: Bearer` with an access token or an API key, or the cookie of a browser that signed
  in. Changes asked for with a cookie must come from the same site (`Sec-Fetch-Site`), or carry `X-Requested-With`.
- **Lists** are `{items, next_cursor, total}`; send `next_cursor` as `cursor` for the next page. A cursor belongs to its
  filters and its order.
- **Errors** are problems, see [errors](errors.md). Unknown fields and query parameters are refused by name.
- **Limits**: a principal has a rate (`RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset`; 429 says in
  `Retry-After` how many seconds to wait), bodies have a size, files another one.
- `X-Request-ID` is taken over when sent, else made, and is in every response and log line.

This page is printed by `python -m lectern.cli.rest_reference`; a test holds it against the code.
"""
_METHODS: Final = ("get", "post", "put", "patch", "delete")


def reference() -> str:
    """The text of `docs/reference/rest.md`: every operation, by room."""
    document = description()
    rooms: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method in _METHODS:
            if method in operations:
                rooms.setdefault(operations[method]["tags"][0], []).append(_section(method, path, operations[method]))
    parts = [f"\n## {room}\n\n" + "\n".join(sections) for room, sections in sorted(rooms.items())]
    return INTRODUCTION + "".join(parts)


def _section(method: str, path: str, operation: Mapping[str, Any]) -> str:
    text = " ".join(operation.get("description", "").split())
    lines = [f"### {method.upper()} {path}", "", f"`{operation['operationId']}` {text}", ""]
    parameters = list(_parameters(operation))
    if parameters:
        lines += [*parameters, ""]
    return "\n".join(lines)


def _parameters(operation: Mapping[str, Any]) -> Iterator[str]:
    for parameter in operation.get("parameters", []):
        if parameter["in"] not in {"query", "header"}:
            continue
        schema = parameter["schema"]
        notes = [_kind(schema)]
        if parameter.get("required"):
            notes.append("required")
        if isinstance(default := schema.get("default"), str | int):
            notes.append(f"default `{json.dumps(default)}`")
        text = parameter.get("description", "")
        yield f"- `{parameter['name']}` ({', '.join(notes)}){': ' + text if text else ''}"
    body = operation.get("requestBody", {}).get("content", {})
    for media_type, content in body.items():
        name = _kind(content.get("schema", {}))
        yield f"- body `{media_type}`: {name}"


def _kind(schema: Mapping[str, Any]) -> str:
    """A schema in a few words."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[-1]
    if "enum" in schema:
        return " \\| ".join(f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_kind(choice) for choice in schema["anyOf"] if choice.get("type") != "null")
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    bounds = [f"{word} {schema[key]}" for key, word in _BOUNDS.items() if key in schema]
    return " ".join([schema.get("format") or schema.get("type", "any"), *bounds])


_BOUNDS: Final = {
    "minimum": ">=",
    "maximum": "<=",
    "minLength": "from",
    "maxLength": "up to",
}


if __name__ == "__main__":
    print(reference(), end="")
