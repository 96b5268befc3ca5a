"""Read arguments leniently, and explain invalid ones: which one, why, and the alternatives."""

import json
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

from lectern_mcp.errors import Failure
from lectern_mcp.text import one_line

Schema = Mapping[str, Any]
ALIASES = {"document_url": "url", "image_url": "url", "file_url": "url", "search_value": "query"}
"""Names of arguments that clients written for similar servers send."""
MEANINGS = {
    "query question text term quote": "q search search_query keywords prompt word words",
    "top_k limit": "n k count max_results num_results n_results results size page_size",
    "document documents": "doc docs doc_id doc_ids document_id document_ids id ids file files filename name title",
    "filename": "file_name name title",
    "tags": "tag tag_name label labels category",
    "collection": "collections collection_id collection_name folder",
    "pages page_number": "page page_num page_no page_numbers page_range start_page",
    "cursor": "next_cursor offset page_token next",
    "max_tokens": "max_length max_chars token_limit budget",
    "thread_id": "thread conversation_id session_id",
    "url": "uri link href path file_path file source document",
    "content text": "data base64 bytes body file_content",
    "sheet": "sheet_name worksheet tab",
}
"""Arguments of the same meaning, and other names for them. A failure names the one that the tool has."""
_LIKENESS = 0.7


def normalize(parameters: Schema, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments under their own names: null and "" as not given, a text as a list of one, 7 as "7"."""
    properties: Mapping[str, Schema] = parameters.get("properties", {})
    required: list[str] = parameters.get("required", [])
    normalized: dict[str, Any] = {}
    for given, value in arguments.items():
        alias = ALIASES.get(given, given)
        name = alias if given not in properties and alias in properties and alias not in arguments else given
        if value in (None, "") and name in properties and name not in required:
            continue
        is_single = "array" in _types(properties.get(name, {})) and isinstance(value, str) and value[:1] != "["
        is_number = type(value) is int and _types(properties.get(name, {}))[:1] == ["string"]
        normalized[name] = [value] if is_single else str(value) if is_number else value
    return normalized


def nearest(given: str, known: Collection[str]) -> str | None:
    """Return the known argument of this name, of the same meaning or of nearly the same spelling, or None."""
    same = [
        own
        for names, others in MEANINGS.items()
        if given.lower() in f"{names} {others}".split()
        for own in names.split()
    ]
    names = [name for name in (given, *same, *get_close_matches(given.lower(), known, 1, _LIKENESS)) if name in known]
    return names[0] if names else None


def refuse_unknown(name: str, known: Collection[str], arguments: Mapping[str, Any], *, hint: str | None = None) -> None:
    """Raise a Failure that names the unknown arguments, each with the nearest known one."""
    unknown = {given: nearest(given, known) for given in arguments if given not in known}
    shown = [one_line(given, 64) + (f" (did you mean {near}?)" if near else "") for given, near in unknown.items()]
    if shown:
        raise Failure("VALIDATION_ERROR", f"{name} has no argument {', '.join(shown)}.", hint=hint)


def fitting_tools(known: Collection[str], arguments: Collection[str], schemas: Mapping[str, Schema]) -> str:
    """Return a hint at the tools that take these arguments and need some of them, or an empty text.

    Only arguments that are not `known` may have another name there.
    """
    as_there = {
        name: {one if one in known else nearest(one, schema["properties"]) for one in arguments}
        for name, schema in schemas.items()
        if schema.get("required")
    }
    names = [
        name
        for name, given in as_there.items()
        if set(schemas[name]["required"]) <= given <= schemas[name]["properties"].keys()
    ]
    return f" These arguments fit {' or '.join(names[:2])}." if names else ""


def of_schema(parameters: Schema) -> str:
    """Return the arguments of a tool, as `query (required), tags`."""
    required: list[str] = parameters.get("required", [])
    shown = [f"{name} (required)" if name in required else name for name in parameters.get("properties", {})]
    return f"Arguments: {', '.join(shown) or 'none'}."


def example_of(parameters: Schema, error: ValidationError) -> str:
    """Return an example of the first wrong argument, if its form is not plain, and all arguments of the tool."""
    name = str(error.errors()[0]["loc"][0])
    schema: Schema = parameters.get("properties", {}).get(name, {})
    examples: list[object] = schema.get("examples") or [["a", "b"]] * ("array" in _types(schema))
    return "".join(f"Example: {name}: {json.dumps(value)}. " for value in examples[:1]) + of_schema(parameters)


def _types(schema: Schema) -> list[str]:
    kind: str | list[str] = schema.get("type", [])
    return [kind] if isinstance(kind, str) else kind
