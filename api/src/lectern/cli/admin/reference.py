"""`lectern settings` and `lectern openapi`: the settings in Markdown, and the description of the REST API."""

import json
from typing import Any, Final

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from pydantic_settings import BaseSettings

from lectern.settings import SECTIONS, AccountsSettings, DatabaseSettings, Settings, variables_of

PLACEHOLDER: Final = SecretStr("never-used-for-anything-but-the-description")
INTRODUCTION: Final = """\
# Settings

Set each one as an environment variable, or in a `.env` file in the folder where you start Lectern.
`lectern settings` prints this page, and a test compares the two.
The other settings of the MCP service begin with `MCP_`. See [MCP tools](mcp-tools.md).
"""


def settings() -> None:
    """Print the reference of every setting in Markdown."""
    print(reference(), end="")


def reference() -> str:
    """Return the text of `docs/reference/settings.md`."""
    return INTRODUCTION + "".join(_section(section) for section in SECTIONS)


def _section(section: type[BaseSettings]) -> str:
    title = section.__name__.removesuffix("Settings")
    rows = [_row(variable, field) for variable, field in variables_of(section).items()]
    if not rows:
        return ""
    return f"\n## {title}\n\n| Variable | Default | Meaning |\n|---|---|---|\n" + "".join(rows)


def _row(variable: str, field: FieldInfo) -> str:
    description = (field.description or "").replace("|", "\\|")
    default = f"`{text}`" if (text := default_text(field)) else ""
    return f"| `{variable}` | {default} | {description}{_limits(field)} |\n"


def default_text(field: FieldInfo) -> str:
    """Return the default of a setting as its variable would have it."""
    value = field.get_default(call_default_factory=True, validated_data={})
    if value is None or value is PydanticUndefined or isinstance(value, SecretStr):
        return ""
    if isinstance(value, list | dict):
        return json.dumps(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _limits(field: FieldInfo) -> str:
    """The bounds of a number in words."""
    bounds = [(word, getattr(item, name)) for item in field.metadata for name, word in _BOUNDS if hasattr(item, name)]
    return f" ({', '.join(f'{word} {value}' for word, value in bounds)})" if bounds else ""


_BOUNDS: Final = (("ge", "at least"), ("gt", "more than"), ("le", "at most"), ("lt", "less than"))


def openapi() -> None:
    """Print the OpenAPI description. Needs no database and no secret."""
    print(json.dumps(description(), ensure_ascii=False, indent=2, sort_keys=True))


def description() -> dict[str, Any]:
    """Return the OpenAPI description of the REST API without connecting to anything."""
    from lectern.app import create_app

    settings = Settings(
        database=DatabaseSettings(url=SecretStr("postgresql://localhost/never-connected-to")),
        accounts=AccountsSettings(jwt_secret_key=PLACEHOLDER, backend_api_key=PLACEHOLDER),
    )
    return create_app(settings).openapi()
