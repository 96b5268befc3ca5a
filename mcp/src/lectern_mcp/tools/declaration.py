"""Declaration of read-only tools, and their shared arguments."""

import inspect
from collections.abc import Awaitable, Callable
from types import CodeType
from typing import Annotated, Final

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import Field, StringConstraints

from lectern_mcp.errors import Failure
from lectern_mcp.results import tokens_of
from lectern_mcp.tools.schemas import slim_arguments, slim_result

BUDGET = 5_000
ANNOTATIONS = ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False)
LONGEST_PLACE = 12
FAILURE = ["error", "code", "hint"]

Name = Annotated[str, StringConstraints(min_length=1, max_length=500)]
Query = Annotated[
    str,
    Field(min_length=1, max_length=4_000, description="Question or keywords in any language."),
]
TopK = Annotated[int, Field(ge=1, le=20)]
Hybrid = Annotated[bool, Field(description="false: by meaning only, not by words.")]
MaxTokens = Annotated[int, Field(ge=500, le=20_000)]
Cursor = Annotated[str | None, Field(max_length=2_000, description="metadata.next_cursor of the last result.")]
Document = Annotated[
    str,
    Field(min_length=1, max_length=500, description="Id, filename, title, ticker or company."),
]
DocumentOrAll = Annotated[
    str | None, Field(min_length=1, max_length=500, description="Id, filename, title, ticker or company. Default: all.")
]


_declared: Final[dict[tuple[CodeType, str], Tool]] = {}


def reading_tool(
    function: Callable[..., Awaitable[CallToolResult]], title: str, annotations: ToolAnnotations = ANNOTATIONS
) -> Tool:
    """Declare a function as a tool: docstring as description, signature as schema, no other arguments.

    Schemas take milliseconds. Functions that differ only in the API client they call share one.
    """
    key = function.__code__, function.__name__
    if key not in _declared:
        _declared[key] = _declare(function, title, annotations)
    return _declared[key].model_copy(update={"fn": function})


def _declare(function: Callable[..., Awaitable[CallToolResult]], title: str, annotations: ToolAnnotations) -> Tool:
    tool = Tool.from_function(function, title=title, description=inspect.getdoc(function), annotations=annotations)
    tool.parameters = {**slim_arguments(tool.parameters), "additionalProperties": False}
    output = slim_result(tool.fn_metadata.output_schema or {})
    output["anyOf"] = [{"required": output.pop("required")}, {"required": FAILURE}]  # clients check failures against it
    tool.fn_metadata.output_schema = output
    return tool


async def list_page(limit: int, ask: Callable[[int], Awaitable[tuple[CallToolResult, int]]]) -> CallToolResult:
    """Return a page of at most `limit` rows within the budget. `ask` returns rows and their total.

    A page that is too long is asked for again with fewer rows: its cursor must point to the first row left out.
    """
    while True:
        answer, count = await ask(limit)
        size = tokens_of(answer)
        if size <= BUDGET or limit == 1:
            return answer
        limit = max(1, count * BUDGET * 9 // (size * 10))


def place_of(cursor: str | None) -> int:
    """Return the offset of a counting cursor, or 0 without one. Raises a Failure for any other text."""
    if cursor is None:
        return 0
    if cursor.isascii() and cursor.isdigit() and len(cursor) <= LONGEST_PLACE:
        return int(cursor)
    raise foreign_cursor()


def foreign_cursor() -> Failure:
    """Return the failure for a cursor of another origin."""
    hint = "Start again without cursor. A cursor is metadata.next_cursor of the previous result."
    return Failure("VALIDATION_ERROR", "Invalid cursor.", hint=hint)
