"""Write the models of the MCP service and of `clients/` from `api/openapi.json`: `python mcp/generate_api_models.py`.

Only what is called is kept, without rules, because every model and every rule costs time at each start. The API checks
requests. The client has descriptions for who reads it; docs/reference/rest.md has them all. Needs
datamodel-code-generator, a development dependency. A test fails when a file is not what this writes.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
DESCRIPTION = ROOT / "api" / "openapi.json"
MCP_OPERATIONS = (
    "introspect_api_key",
    "get_me",
    "get_protected_resource_metadata",
    "search",
    "list_documents",
    "get_document",
    "get_named_document",
    "get_document_content",
    "get_document_stats",
    "get_document_outline",
    "get_document_page",
    "find_in_document",
    "upload_documents",
    "add_document_from_url",
    "list_tags",
    "list_collections",
    "verify_quote",
    "ingest_collection_folder",
    "create_answer",
    "process_file",
    "extract_file_text",
    "extract_file_tables",
    "chunk_file",
    "retrieve_file_chunks",
    "query_file_rows",
    "detect_text_language",
    "list_file_formats",
    "get_extracts_health",
    "get_extracts_caches",
    "clear_extracts_caches",
)
CLIENT_OPERATIONS = ("search", "get_me")


class Wanted(NamedTuple):
    """The operations whose types a file has, and whether these are described."""

    operations: Sequence[str]
    is_described: bool = False


OPERATIONS = {
    ROOT / "mcp" / "src" / "lectern_mcp" / "api_models.py": Wanted(MCP_OPERATIONS),
    ROOT / "clients" / "lectern-client" / "src" / "lectern_client" / "models.py": Wanted(
        CLIENT_OPERATIONS, is_described=True
    ),
}
"""By the file that is written."""
REQUEST = "SearchRequest"
"""The only request that is built with a type. It keeps its rules."""
_TYPES = frozenset(
    {
        "type",
        "format",
        "enum",
        "const",
        "default",
        "properties",
        "required",
        "items",
        "prefixItems",
        "anyOf",
        "oneOf",
        "allOf",
        "additionalProperties",
        "discriminator",
        "$ref",
    }
)
OPTIONS = (
    "--input-file-type=openapi",
    "--output-model-type=pydantic_v2.BaseModel",
    "--target-python-version=3.11",
    "--strict-nullable",
    "--use-annotated",
    "--use-schema-description",
    "--use-single-line-docstring",
    "--collapse-root-models",
    "--disable-timestamp",
    "--use-standard-collections",
    "--use-union-operator",
    "--enum-field-as-literal=all",
    "--custom-file-header=# Generated from api/openapi.json by mcp/generate_api_models.py; do not edit.",
)


def generate(description: dict[str, Any], wanted: Wanted) -> str:
    """The module with the types of some operations; raises `LookupError` when the API lacks one of them."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "openapi.json"), Path(folder, "api_models.py")
        source.write_text(json.dumps(_needed(description, wanted)), encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "datamodel_code_generator",
            f"--input={source}",
            f"--output={target}",
            *OPTIONS,
        ]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own arguments
        return target.read_text(encoding="utf-8")


def _needed(description: dict[str, Any], wanted: Wanted) -> dict[str, Any]:
    """The description without what nobody here asks for."""
    operations = {
        operation["operationId"]: operation
        for path in description["paths"].values()
        for operation in path.values()
        if "operationId" in operation
    }
    missing = [name for name in wanted.operations if name not in operations]
    if missing:
        raise LookupError(f"The API has no operation {', '.join(missing)}.")
    schemas = description["components"]["schemas"]
    requests = _with_parts({REQUEST}, schemas)
    answers = _with_parts(_references([_answers(operations[name]) for name in wanted.operations]), schemas)
    parts = _TYPES | {"description"} if wanted.is_described else _TYPES
    kept = {name: _select(schemas[name], parts) for name in answers} | {name: schemas[name] for name in requests}
    return {**description, "paths": {}, "components": {"schemas": dict(sorted(kept.items()))}}


def _answers(operation: dict[str, Any]) -> list[Any]:
    """Return the successful responses. Problems are parsed by hand."""
    return [answer for status, answer in operation["responses"].items() if status.startswith("2")]


def _with_parts(names: set[str], schemas: dict[str, Any]) -> set[str]:
    """The names with those of the schemas that these consist of."""
    found: set[str] = set()
    while waiting := names - found:
        found |= waiting
        names = names.union(*(_references(schemas[name]) for name in waiting))
    return found


def _select(schema: dict[str, Any], parts: frozenset[str]) -> dict[str, Any]:
    """A schema with these parts only, at every depth."""
    kept: dict[str, Any] = {name: part for name, part in schema.items() if name in parts}
    for name in kept.keys() & {"anyOf", "oneOf", "allOf", "prefixItems"}:
        kept[name] = [_select(part, parts) for part in kept[name]]
    for name in kept.keys() & {"items", "additionalProperties"}:
        kept[name] = _select(kept[name], parts) if isinstance(kept[name], dict) else kept[name]
    if "properties" in kept:
        kept["properties"] = {name: _select(part, parts) for name, part in kept["properties"].items()}
    return kept


def _references(part: object) -> set[str]:
    text = json.dumps(part)
    return {piece.split('"', 1)[0] for piece in text.split('"#/components/schemas/')[1:]}


if __name__ == "__main__":
    api_description = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    for path, wanted in OPERATIONS.items():
        path.write_text(generate(api_description, wanted), encoding="utf-8")
