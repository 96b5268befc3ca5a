"""`lectern env`: a settings file with every variable, as comments."""

import importlib.util
import textwrap
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from lectern.cli.admin.reference import default_text
from lectern.settings import SECTIONS, variables_of
from lectern.settings.base import given_variables
from lectern.settings.secret_files import FILE_SUFFIX

INTRODUCTION: Final = """\
# Settings of Lectern. Save this as `.env` next to docker-compose.yml, or in the folder where you start Lectern.
# Lines show the default. Remove the `#` of those that you change. An empty value means the default.
# A secret may also come from a file: `JWT_SECRET_KEY_FILE` names the file for `JWT_SECRET_KEY`.
"""
_WIDTH: Final = 118
_NEAR: Final = 0.85  # a letter or two of difference
# Variables that docker-compose.yml reads itself.
COMPOSE: Final = {
    "LECTERN_BIND_ADDRESS": ("127.0.0.1", "Address of this machine that publishes the ports. 0.0.0.0 opens them."),
    "LECTERN_UI_PORT": ("3000", "Port of the web UI. It also serves REST (/api, /docs) and MCP (/mcp)."),
    "LECTERN_SUBNET": ("172.31.233.0/24", "Network of the containers. Set LECTERN_TRUSTED_PROXIES to the same value."),
    "LECTERN_DATABASE_MEMORY": ("4g", "Memory limit of the database. See db/postgresql.conf."),
    "LECTERN_API_MEMORY": ("4g", "Memory limit of the API."),
    "LECTERN_WORKER_MEMORY": ("6g", "Memory limit of the worker."),
    "DATABASE_OWNER_PASSWORD": ("", "Password of the role `lectern_owner`. Empty: generated."),
    "DATABASE_SERVICE_PASSWORD": ("", "Password of the role `lectern_service`. Empty: generated."),
    "POSTGRES_PASSWORD": ("", "Password of the superuser `postgres`. Empty: generated, and nobody knows it."),
}
# Fixed in containers.
LOCAL_ONLY: Final = frozenset({
    "LECTERN_DATA_DIR", "LECTERN_POSTGRES_BIN_DIR", "LECTERN_HOST", "LECTERN_PORT",
    "LECTERN_UI_DIR", "LECTERN_API_URL", "MCP_HOST",
})  # fmt: skip


def environment_file() -> None:
    """Print a settings file with every variable and its default, as comments."""
    print(text(), end="")


def text() -> str:
    """Return the file: docker compose, then each section of the settings, then the MCP service."""
    compose = [_lines(name, default, meaning) for name, (default, meaning) in COMPOSE.items()]
    parts = [INTRODUCTION, _section("docker compose only", compose)]
    known = set(COMPOSE)
    for section in SECTIONS:
        fields = variables_of(section)
        known |= set(fields)
        title = section.__name__.removesuffix("Settings")
        parts.append(_section(title, [_field(name, field) for name, field in fields.items()]))
    others = [_field(name, field) for name, field in _mcp_fields() if name not in known]
    return "".join([*parts, _section("MCP service", others)])


def find_misspelt_variables() -> dict[str, str]:
    """Return variables that nobody reads and that are nearly the name of a setting, with that name."""
    known = {*COMPOSE, *LOCAL_ONLY, *(name for name, _ in _mcp_fields())}
    known |= {name for section in SECTIONS for name in variables_of(section)}
    ignored = sorted(name for name in given_variables() if not known & {name, name.removesuffix(FILE_SUFFIX)})
    near = {name: get_close_matches(name, known, n=1, cutoff=_NEAR) for name in ignored}
    return {name: names[0] for name, names in near.items() if names and name.startswith(("LECTERN_", "MCP_"))}


def _section(title: str, lines: list[str]) -> str:
    return f"\n# ---- {title} ----\n\n" + "\n".join(lines) if lines else ""


def _field(name: str, field: FieldInfo) -> str:
    note = " (not with docker compose)" if name in LOCAL_ONLY else ""
    return _lines(name, default_text(field), (field.description or "") + note)


def _lines(name: str, default: str, meaning: str) -> str:
    comment = textwrap.wrap(meaning, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)
    return "\n".join([*comment, f"# {name}={default}\n"])


def _mcp_fields() -> Iterator[tuple[str, FieldInfo]]:
    """Yield the variables of the MCP service, if it is installed beside this package, as in a clone."""
    if importlib.util.find_spec("lectern_mcp") is None:
        return
    settings: type[BaseModel] = importlib.import_module("lectern_mcp.settings").McpSettings
    yield from ((field.alias, field) for field in settings.model_fields.values() if field.alias)
