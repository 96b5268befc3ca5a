"""`lectern settings`: the reference of every setting, in Markdown."""

import json
from typing import Final

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from pydantic_settings import BaseSettings

from lectern.settings import SECTIONS

INTRODUCTION: Final = """\
# Settings

Every switch is an environment variable (or a line of a file `.env` in the folder where Lectern is started).
This page is printed by `lectern settings`; a test holds it against the code. The settings of the MCP service that are
not here begin with `MCP_` and are described in [mcp-tools.md](mcp-tools.md).
"""


def settings() -> None:
    """Print the reference of every setting in Markdown."""
    print(reference(), end="")


def reference() -> str:
    """The text of `docs/reference/settings.md`."""
    return INTRODUCTION + "".join(_section(section) for section in SECTIONS)


def _section(section: type[BaseSettings]) -> str:
    title = section.__name__.removesuffix("Settings")
    rows = [_row(name, field) for name, field in section.model_fields.items()]
    return f"\n## {title}\n\n| Variable | Default | Meaning |\n|---|---|---|\n" + "".join(rows)


def _row(name: str, field: FieldInfo) -> str:
    alias = field.validation_alias if isinstance(field.validation_alias, str) else name.upper()
    description = (field.description or "").replace("|", "\\|")
    return f"| `{alias}` | {_default(field)} | {description}{_limits(field)} |\n"


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True, validated_data={})
    if value is None or value is PydanticUndefined or value == "" or isinstance(value, SecretStr):
        return ""
    if isinstance(value, list | dict):
        return f"`{json.dumps(value)}`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _limits(field: FieldInfo) -> str:
    """The bounds of a number, in words."""
    bounds = [(word, getattr(item, name)) for item in field.metadata for name, word in _BOUNDS if hasattr(item, name)]
    return f" ({', '.join(f'{word} {value}' for word, value in bounds)})" if bounds else ""


_BOUNDS: Final = (("ge", "at least"), ("gt", "more than"), ("le", "at most"), ("lt", "less than"))
