"""Print `docs/reference/rest.md`: the REST interface in Markdown."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from lectern.cli.admin.reference import description

INTRODUCTION: Final = """\
# REST

All paths are below `/api/v1`, except those for [chat clients](../how-to/chat-clients.md) below `/v1`.
`/docs` of a running installation shows the same operations with every field.
`api/openapi.json` is the OpenAPI description.

- **Authentication**: send `Authorization: Bearer` with an access token or an API key.
  A browser sends its session cookie.
  Changes with a cookie must come from the same site (`Sec-Fetch-Site`) or carry `X-Requested-With`.
- **Lists** are `{items, next_cursor, total}`. Send `next_cursor` as `cursor` for the next page.
  Keep the same filters and order.
  Short ones have only `items`, those of sessions, members and webhooks are arrays.
- **Errors** are problem details. See [errors](errors.md). Below `/v1` they have OpenAI's form.
  Unknown fields and query parameters are refused by name.
- **Limits**: each principal has a request rate (`RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset`).
  A 429 response says in `Retry-After` how many seconds to wait. Request bodies and uploaded files have size limits.
- **Request ids**: `X-Request-ID` of the request, or a new one, is in every response and log line.

`python api/tools/rest_reference.py` prints this page, and a test compares the two.
"""
_METHODS: Final = ("get", "post", "put", "patch", "delete")


def reference() -> str:
    """Return the text of `docs/reference/rest.md`: every operation, by tag."""
    document = description()
    by_tag: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method in _METHODS:
            if method in operations:
                by_tag.setdefault(operations[method]["tags"][0], []).append(_section(method, path, operations[method]))
    parts = [f"\n## {tag}\n\n" + "\n".join(sections) for tag, sections in sorted(by_tag.items())]
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
    """Describe a schema in a few words."""
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
