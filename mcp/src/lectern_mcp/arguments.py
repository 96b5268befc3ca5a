"""Read arguments leniently, and explain invalid ones: which one, why, and the alternatives."""

import json
from collections.abc import Collection, Mapping
from typing import Any

from pydantic import ValidationError

from lectern_mcp.errors import Failure
from lectern_mcp.text import one_line

Schema = Mapping[str, Any]
ALIASES = {"document_url": "url", "image_url": "url", "file_url": "url", "search_value": "query"}
"""Names of arguments that clients written for similar servers send."""
_EXAMPLES = {"array": '["a", "b"]', "boolean": "true", "string": '"a"'}


def normalize(parameters: Schema, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments under their own names: null and "" as not given, a single text as a list of one."""
    properties: Mapping[str, Schema] = parameters.get("properties", {})
    required: list[str] = parameters.get("required", [])
    normalized: dict[str, Any] = {}
    for given, value in arguments.items():
        alias = ALIASES.get(given, given)
        name = alias if given not in properties and alias in properties and alias not in arguments else given
        if value in (None, "") and name in properties and name not in required:
            continue
        is_single = "array" in _types(properties.get(name, {})) and isinstance(value, str) and value[:1] != "["
        normalized[name] = [value] if is_single else value
    return normalized


def refuse_unknown(name: str, known: Collection[str], arguments: Mapping[str, Any], *, hint: str | None = None) -> None:
    """Raise a Failure that names the unknown arguments."""
    unknown = ", ".join(one_line(argument, 64) for argument in arguments if argument not in known)
    if unknown:
        raise Failure("VALIDATION_ERROR", f"{name} has no argument {unknown}.", hint=hint)


def invalid(name: str, error: ValidationError, *, hint: str) -> Failure:
    """Describe the fault of each argument in one line."""
    problems = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())
    return Failure("VALIDATION_ERROR", one_line(f"Invalid arguments for {name}. {problems}."), hint=hint)


def of_schema(parameters: Schema) -> str:
    """Return the arguments of a tool, as `query (required), tags`."""
    required: list[str] = parameters.get("required", [])
    shown = [f"{name} (required)" if name in required else name for name in parameters.get("properties", {})]
    return f"Arguments: {', '.join(shown) or 'none'}."


def example_of(parameters: Schema, error: ValidationError) -> str:
    """Return an example of the first wrong argument, and all arguments of the tool."""
    name = str(error.errors()[0]["loc"][0])
    schema: Schema = parameters.get("properties", {}).get(name, {})
    chosen: list[object] = schema.get("examples") or schema.get("enum") or []
    usual = _EXAMPLES | {"integer": str(max(5, schema.get("minimum", 5)))}
    values = [json.dumps(chosen[0])] if chosen else [usual[kind] for kind in _types(schema) if kind in usual]
    return "".join(f"Example: {name}: {value}. " for value in values[:1]) + of_schema(parameters)


def _types(schema: Schema) -> list[str]:
    kind: str | list[str] = schema.get("type", [])
    return [kind] if isinstance(kind, str) else kind
