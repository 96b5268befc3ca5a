"""The compose file and the settings file: nothing is required, every variable is documented, services are confined."""

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

from lectern.cli.admin.environment_file import COMPOSE as COMPOSE_ONLY
from lectern.cli.admin.environment_file import LOCAL_ONLY
from lectern.settings import SECTIONS, variables_of
from lectern.settings.secret_files import FILE_SUFFIX, is_secret

ROOT = Path(__file__).parents[3]
EXAMPLE = (ROOT / ".env.example").read_text(encoding="utf-8")
TEXT = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
# Secrets that the worker reads from `.env`.
OF_THE_WORKER = {
    "DATABASE_URL",
    "JWT_SECRET_KEY",
    "LECTERN_METRICS_TOKEN",
    "OPENAI_API_KEY",
    "LECTERN_EMBEDDINGS_NEXT_API_KEY",
}


def backend_fields() -> dict[str, FieldInfo]:
    return {name: field for section in SECTIONS for name, field in variables_of(section).items()}


def run_with_mcp(*arguments: str) -> str:
    """Run Python with the package of the MCP service, which the API does not import."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "mcp" / "src")}
    call = [sys.executable, *arguments]
    return subprocess.run(call, check=True, capture_output=True, text=True, env=environment).stdout


def mcp_variables() -> set[str]:
    code = "from lectern_mcp.settings import McpSettings; print([f.alias for f in McpSettings.model_fields.values()])"
    return set(re.findall(r"'(\w+)'", run_with_mcp("-c", code)))


def variables_in(text: str) -> dict[str, str]:
    """Return the variables of a settings file with their values."""
    return dict(re.findall(r"^(?:# )?([A-Z][A-Z_0-9]+)=(.*)$", text, re.MULTILINE))


def environment_of(service: str) -> dict[str, str | None]:
    values = SERVICES[service].get("environment", {})
    if isinstance(values, dict):
        return {str(name): str(value) for name, value in values.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return {name: value or None for name, _, value in (str(line).partition("=") for line in values)}


@pytest.fixture(scope="module")
def complete() -> dict[str, str]:
    """Return the output of `lectern env`."""
    return variables_in(run_with_mcp("-m", "lectern", "env"))


def test_the_complete_file_has_every_variable_and_no_other(complete: dict[str, str]) -> None:
    assert set(complete) == set(backend_fields()) | mcp_variables() | set(COMPOSE_ONLY)


def test_the_complete_file_shows_the_default_of_every_setting(complete: dict[str, str]) -> None:
    defaults = {name: field.get_default(call_default_factory=True) for name, field in backend_fields().items()}
    wrong = {name: complete[name] for name, value in defaults.items() if complete[name] != _written(value)}

    assert wrong == {}


def test_the_complete_file_sets_nothing() -> None:
    lines = run_with_mcp("-m", "lectern", "env").splitlines()

    assert [line for line in lines if line and not line.startswith("#")] == []
    assert max(map(len, lines)) <= 120


def test_the_example_is_short_and_sets_nothing(complete: dict[str, str]) -> None:
    known = {*complete, *(name + FILE_SUFFIX for name, field in backend_fields().items() if is_secret(field))}

    assert set(variables_in(EXAMPLE)) <= known
    assert [line for line in EXAMPLE.splitlines() if line and not line.startswith("#")] == []
    assert len(EXAMPLE.splitlines()) <= 30


def test_compose_is_short_and_requires_no_variable() -> None:
    assert len(TEXT.splitlines()) <= 90
    assert ":?" not in TEXT


def test_compose_reads_only_variables_that_exist(complete: dict[str, str]) -> None:
    passed = {name for service in SERVICES for name in environment_of(service)}

    assert set(re.findall(r"\$\{(\w+)", TEXT)) | passed - {"POSTGRES_DB"} <= set(complete)


def test_every_setting_reaches_its_services() -> None:
    optional = [{"path": ".env", "required": False}]
    published = set(re.findall(r"\$\{(\w+)", " ".join(SERVICES["mcp"]["ports"])))
    own_key = {"MCP_API_KEY"}  # for standard input and output only

    assert all(SERVICES[service]["env_file"] == optional for service in ("migrate", "api", "worker"))
    assert mcp_variables() - LOCAL_ONLY - published - own_key <= set(environment_of("mcp"))


def test_every_service_is_confined() -> None:
    for name, service in SERVICES.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["pids_limit"], name
        assert service["mem_limit"], name
        assert service["logging"]["options"]["max-size"], name
    assert {name for name, service in SERVICES.items() if "cap_add" in service} == {"db"}


def test_the_file_for_small_machines_lowers_limits_of_services_that_exist() -> None:
    small = yaml.safe_load((ROOT / "docker-compose.small.yml").read_text(encoding="utf-8"))["services"]
    megabytes = [int(re.sub(r"m$", "", service["mem_limit"])) for service in small.values()]

    assert set(small) == set(SERVICES) - {"migrate"}
    assert sum(megabytes) <= 3_800


def test_only_the_services_of_the_database_share_its_network() -> None:
    networks = {name: set(service.get("networks", ["default"])) for name, service in SERVICES.items()}

    assert {name for name, joined in networks.items() if "database" in joined} == {"db", "migrate", "api", "worker"}
    assert networks["db"] == {"database"}
    assert COMPOSE["networks"]["database"] == {"internal": True}


def test_only_the_one_shot_migration_knows_the_owner_of_the_schema() -> None:
    mounting = {name for name, service in SERVICES.items() if "owner-secrets" in str(service.get("volumes"))}

    assert mounting == {"db", "migrate"}
    for service in ("api", "worker"):
        hidden = environment_of(service)
        assert {hidden[name] for name in ("DATABASE_OWNER_URL", "DATABASE_OWNER_PASSWORD", "POSTGRES_PASSWORD")} == {""}


def test_the_worker_gets_no_secret_of_other_services() -> None:
    secrets = {name for name, field in backend_fields().items() if is_secret(field)} - OF_THE_WORKER

    assert {name for name in secrets if environment_of("worker").get(name) != ""} == set()


def test_the_mcp_service_gets_neither_database_nor_signing_key() -> None:
    secrets = {name for name, field in backend_fields().items() if is_secret(field)}

    assert "env_file" not in SERVICES["mcp"]
    assert secrets & set(environment_of("mcp")) == {"BACKEND_API_KEY", "LECTERN_METRICS_TOKEN"}
    assert SERVICES["mcp"]["volumes"] == ["mcp-secrets:/run/lectern/mcp:ro"]


def test_the_api_is_not_published_and_trusts_its_network_only() -> None:
    subnet = COMPOSE["networks"]["default"]["ipam"]["config"][0]["subnet"]
    expected = subnet.replace("LECTERN_SUBNET", "LECTERN_TRUSTED_PROXIES")

    assert "ports" not in SERVICES["api"]
    assert environment_of("api")["LECTERN_TRUSTED_PROXIES"] == expected


def _written(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value) if isinstance(value, list) else str(value)
