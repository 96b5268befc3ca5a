"""How a tool that only reads is declared, and the arguments that such tools share."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import Field, StringConstraints

from lectern_mcp.errors import Failure
from lectern_mcp.results import tokens_of

BUDGET = 5_000
ANNOTATIONS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
LONGEST_PLACE = 12
FAILURE = ["error", "code", "hint"]

Name = Annotated[str, StringConstraints(min_length=1, max_length=500)]
Query = Annotated[
    str,
    Field(
        min_length=1, max_length=4_000, description="A question or key words in any language; figures as they stand."
    ),
]
TopK = Annotated[int, Field(ge=1, le=20, description="Passages wanted.")]
Hybrid = Annotated[bool, Field(description="true: by words and by meaning; false: by meaning only.")]
MaxTokens = Annotated[int, Field(ge=500, le=20_000, description="Size of the answer; what exceeds it is cut.")]
Cursor = Annotated[str | None, Field(max_length=2_000, description="metadata.next_cursor of the answer before.")]
Document = Annotated[
    str,
    Field(min_length=1, max_length=500, description="A document: id, filename, title, ticker or name of a company."),
]
DocumentOrAll = Annotated[
    str | None, Field(min_length=1, max_length=500, description="A document, named likewise; without it, all of them.")
]


def reading_tool(
    function: Callable[..., Awaitable[CallToolResult]], title: str, annotations: ToolAnnotations = ANNOTATIONS
) -> Tool:
    """The function as a tool: docstring as description, signature as schema, and no argument beside those."""
    tool = Tool.from_function(function, title=title, description=inspect.getdoc(function), annotations=annotations)
    tool.parameters["additionalProperties"] = False
    output = tool.fn_metadata.output_schema or {}
    output["properties"] |= {name: {"type": "string"} for name in FAILURE}
    output["anyOf"] = [{"required": output.pop("required")}, {"required": FAILURE}]  # clients check failures against it
    return tool


async def list_page(limit: int, ask: Callable[[int], Awaitable[tuple[CallToolResult, int]]]) -> CallToolResult:
    """A page of at most `limit` rows that keeps to the budget; `ask` answers with so many rows, and how many they are.

    A page that is too long is asked for again with fewer: its cursor must lead on to the first row that was left out.
    """
    while True:
        answer, count = await ask(limit)
        size = tokens_of(answer)
        if size <= BUDGET or limit == 1:
            return answer
        limit = max(1, count * BUDGET * 9 // (size * 10))


def place_of(cursor: str | None) -> int:
    """Where a cursor of a tool that counts leads; the beginning without one. Raises a Failure for any other text."""
    if cursor is None:
        return 0
    if cursor.isascii() and cursor.isdigit() and len(cursor) <= LONGEST_PLACE:
        return int(cursor)
    raise foreign_cursor()


def foreign_cursor() -> Failure:
    """For a cursor that was made up, or for something else."""
    hint = "Begin again without cursor; a cursor is metadata.next_cursor of the answer before, about the same file."
    return Failure("VALIDATION_ERROR", "This cursor leads nowhere here.", hint=hint)
