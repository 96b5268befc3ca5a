"""Explain invalid arguments: which one, why, and the alternatives."""

from collections.abc import Collection, Mapping
from typing import Any

from pydantic import ValidationError

from lectern_mcp.errors import Failure
from lectern_mcp.text import one_line

Schema = Mapping[str, Any]


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
