"""Make JSON schemas short: every client puts those of the arguments before its model."""

from typing import Any, cast

Schema = dict[str, Any]
_DEPTH = 2
"""Levels of a result with named fields: the envelope, and its data."""
_UNLISTED = {"title", "$defs", "minLength", "maxLength", "minItems", "maxItems"}
"""Lengths are checked, but a model rarely needs to know them."""
_NULL = {"type": "null"}


def slim_arguments(schema: Schema) -> Schema:
    """Return the schema without generated titles and lengths. An optional argument has `null` among its types."""
    return _slim(schema, schema.get("$defs", {}))


def slim_result(schema: Schema) -> Schema:
    """Return the schema of a result with names and types only, and no deeper than `_DEPTH`."""
    return _names_and_types(schema, schema.get("$defs", {}), _DEPTH) | {"required": schema.get("required", [])}


def _slim(schema: Schema, defs: Schema) -> Schema:
    schema = _resolved(schema, defs)
    slim = {name: value for name, value in schema.items() if name not in _UNLISTED}
    if slim.get("default", 0) is None:
        del slim["default"]
    if "properties" in slim:
        slim["properties"] = {name: _slim(value, defs) for name, value in slim["properties"].items()}
    if "items" in slim:
        slim["items"] = _slim(slim["items"], defs)
    return slim


def _names_and_types(schema: Schema, defs: Schema, depth: int) -> Schema:
    schema = _resolved(schema, defs)
    slim = {name: schema[name] for name in ("type", "anyOf") if name in schema}
    if depth and "properties" in schema:
        fields: dict[str, Schema] = schema["properties"]
        slim["properties"] = {name: _names_and_types(value, defs, depth - 1) for name, value in fields.items()}
    if "items" in schema:
        slim["items"] = _names_and_types(schema["items"], defs, depth)
    return slim


def _resolved(schema: Schema, defs: Schema) -> Schema:
    """Return the schema with its reference followed, and `X or null` as one schema."""
    options = cast("list[Schema]", schema.get("anyOf", []))
    if len(options) == 2 and _NULL in options:  # noqa: PLR2004 - a type and null
        (other,) = [_resolved(option, defs) for option in options if option != _NULL]
        rest = {name: value for name, value in schema.items() if name != "anyOf"}
        nullable: Schema = {"type": [other["type"], "null"]} if isinstance(other.get("type"), str) else {}
        return other | rest | nullable | ({"enum": [*other["enum"], None]} if "enum" in other else {})
    if "$ref" in schema:
        rest = {name: value for name, value in schema.items() if name != "$ref"}
        return _resolved(defs[schema["$ref"].rpartition("/")[2]], defs) | rest
    return schema
