"""Every variable is documented and reaches the service that reads it; a missing secret stops the start."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic.fields import FieldInfo

from lectern.settings import SECTIONS, variables_of

from .conftest import Engine

ROOT = Path(__file__).parents[3]
EXAMPLE = (ROOT / ".env.example").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
COMPOSE_ONLY = {
    "POSTGRES_PASSWORD", "DATABASE_OWNER_PASSWORD", "DATABASE_SERVICE_PASSWORD",
    "LECTERN_BIND_ADDRESS", "LECTERN_UI_PORT", "LECTERN_SUBNET",
}  # fmt: skip
REQUIRED = sorted(set(re.findall(r"\$\{(\w+):\?", (ROOT / "docker-compose.yml").read_text(encoding="utf-8"))))
# Fixed in the images or of an installation without containers.
FIXED = {
    "DATABASE_URL", "DATABASE_OWNER_URL", "LECTERN_DATA_DIR", "LECTERN_POSTGRES_BIN_DIR", "LECTERN_HOST",
    "LECTERN_PORT", "LECTERN_MODEL_DIR", "LECTERN_UI_DIR", "LECTERN_API_URL", "MCP_HOST",
}  # fmt: skip


def backend_fields() -> dict[str, FieldInfo]:
    return {name: field for section in SECTIONS for name, field in variables_of(section).items()}


def mcp_variables() -> set[str]:
    """Read the variables in a separate process, because the API does not import the MCP service."""
    code = "from lectern_mcp.settings import McpSettings; print([f.alias for f in McpSettings.model_fields.values()])"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "mcp" / "src")}
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
    return set(re.findall(r"'(\w+)'", done.stdout))


def documented() -> dict[str, str]:
    """Variable and what the example says it is worth."""
    return dict(re.findall(r"^(?:# )?([A-Z][A-Z_0-9]+)=(.*)$", EXAMPLE, re.MULTILINE))


def test_the_example_names_every_variable_and_no_other() -> None:
    assert set(documented()) == set(backend_fields()) | mcp_variables() | COMPOSE_ONLY


def test_the_example_shows_the_default_of_every_setting() -> None:
    shown = documented()
    defaults = {name: field.get_default(call_default_factory=True) for name, field in backend_fields().items()}
    wrong = {name: shown[name] for name, value in defaults.items() if shown[name] != _written(value)}

    assert wrong == {}


def test_the_example_asks_for_what_compose_requires_and_for_nothing_else() -> None:
    assert sorted(re.findall(r"^([A-Z_0-9]+)=$", EXAMPLE, re.MULTILINE)) == REQUIRED


def test_compose_hands_every_setting_to_a_service() -> None:
    handed = {name for service in COMPOSE["services"].values() for name in service["environment"]}
    ports = re.findall(
        r"\$\{(\w+)", " ".join(port for service in COMPOSE["services"].values() for port in service.get("ports", []))
    )

    assert (set(backend_fields()) | mcp_variables()) - FIXED - set(ports) <= handed
    assert (handed | set(ports)) - {"POSTGRES_DB"} <= set(documented())


def test_only_the_one_shot_migration_knows_the_owner_of_the_schema() -> None:
    knowing = [name for name, service in COMPOSE["services"].items() if "DATABASE_OWNER_URL" in service["environment"]]

    assert knowing == ["migrate"]


def test_the_mcp_service_gets_neither_database_nor_signing_key() -> None:
    secrets = {"DATABASE_URL", "DATABASE_OWNER_URL", "JWT_SECRET_KEY", "ADMIN_PASSWORD", "OPENAI_API_KEY"}

    assert not secrets & set(COMPOSE["services"]["mcp"]["environment"])


def test_the_api_is_not_published_and_trusts_its_network_only() -> None:
    api = COMPOSE["services"]["api"]
    subnet = COMPOSE["networks"]["default"]["ipam"]["config"][0]["subnet"]

    assert "ports" not in api
    assert api["environment"]["LECTERN_TRUSTED_PROXIES"] == subnet.replace("LECTERN_SUBNET", "LECTERN_TRUSTED_PROXIES")


@pytest.mark.parametrize("missing", REQUIRED)
def test_a_missing_secret_stops_the_start_and_is_named(engine: Engine, missing: str, tmp_path: Path) -> None:
    values = {name: "x" * 40 for name in REQUIRED if name != missing}
    (tmp_path / "some.env").write_text("".join(f"{name}={value}\n" for name, value in values.items()))
    environment = {name: value for name, value in os.environ.items() if name not in REQUIRED}
    call = [*engine.compose, "--env-file", str(tmp_path / "some.env"), "config"]
    done = subprocess.run(call, check=False, cwd=ROOT, capture_output=True, text=True, env=environment, timeout=200)

    assert done.returncode != 0
    assert re.search(rf"{missing}\W.*is missing", done.stdout + done.stderr)


def _written(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value) if isinstance(value, list) else str(value)
