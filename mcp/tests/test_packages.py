"""The packages for a client's machine: wheel with console script, bundle for Claude Desktop, entry of the registry."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

from build_bundle import build_bundle

from lectern_mcp.settings import VERSION, McpSettings
from registry import RegistryEntry

MCP = Path(__file__).parents[1]


def test_the_wheel_has_a_console_script_that_serves_stdio(tmp_path: Path) -> None:
    project, python = tmp_path / "project", tmp_path / "venv" / "bin" / "python"
    shutil.copytree(MCP / "src", project / "src")
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(MCP / name, project)
    _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", cwd=project)
    venv.create(tmp_path / "venv", with_pip=False)
    (wheel,) = (project / "dist").glob("*.whl")
    pip = (sys.executable, "-m", "pip", "--python", str(python), "install")
    _run(*pip, "--no-index", "--no-deps", "--quiet", str(wheel))

    script = str(python.parent / "lectern-mcp")
    dependencies = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib")}  # they are tested by their authors
    assert _run(script, "--version", env=dependencies).stdout == f"{VERSION}\n"
    started = subprocess.run(
        [script, *package_arguments()], env=dependencies, capture_output=True, text=True, check=False
    )
    assert "MCP_API_KEY is missing" in started.stderr


def test_the_bundle_starts_the_installed_command_with_variables_that_exist(tmp_path: Path) -> None:
    build_bundle(tmp_path / "lectern.mcpb")
    with zipfile.ZipFile(tmp_path / "lectern.mcpb") as bundle:
        names = set(bundle.namelist())
        manifest = json.loads(bundle.read("manifest.json"))
        project = tomllib.loads(bundle.read("pyproject.toml").decode())["project"]
    server = manifest["server"]
    assert server["entry_point"] in names
    assert server["mcp_config"]["args"][-2] in project["scripts"]
    assert set(server["mcp_config"]["env"]) <= {field.alias for field in McpSettings.model_fields.values()}
    assert manifest["version"] == project["version"] == VERSION


def test_the_registry_entry_keeps_the_rules_of_the_registry_and_the_facts_of_the_package() -> None:
    """The rules are those of the schema of 2025-12-11, and of the registry for PyPI."""
    server = RegistryEntry.model_validate_json((MCP / "server.json").read_bytes())
    project = tomllib.loads((MCP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (package,) = server.packages
    assert (server.version, package.version) == (project["version"], VERSION)
    assert (package.identifier, package.identifier in project["scripts"]) == (project["name"], True)
    assert f"mcp-name: {server.name} " in (MCP / project["readme"]).read_text(encoding="utf-8")
    variables = {variable.name: variable for variable in package.environment_variables}
    assert variables.keys() <= {field.alias for field in McpSettings.model_fields.values()}
    assert variables["MCP_API_KEY"].is_secret
    assert variables["LECTERN_API_URL"].default == McpSettings.model_fields["api_url"].default


def package_arguments() -> list[str]:
    """Return the arguments with which a client of the registry starts the package."""
    (package,) = RegistryEntry.model_validate_json((MCP / "server.json").read_bytes()).packages
    return [argument.name for argument in package.package_arguments]


def _run(*command: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done
