"""What is installed on a client's machine: the wheel with its console script, and the bundle for Claude Desktop."""

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

MCP = Path(__file__).parents[1]


def test_the_wheel_has_a_console_script_that_serves_stdio(tmp_path: Path) -> None:
    project, python = tmp_path / "project", tmp_path / "venv" / "bin" / "python"
    shutil.copytree(MCP / "src", project / "src")
    shutil.copy(MCP / "pyproject.toml", project)
    _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", cwd=project)
    venv.create(tmp_path / "venv", with_pip=False)
    (wheel,) = (project / "dist").glob("*.whl")
    pip = (sys.executable, "-m", "pip", "--python", str(python), "install")
    _run(*pip, "--no-index", "--no-deps", "--quiet", str(wheel))

    script = str(python.parent / "lectern-mcp")
    dependencies = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib")}  # they are tested by their authors
    assert _run(script, "--version", env=dependencies).stdout == f"{VERSION}\n"
    started = subprocess.run([script, "--stdio"], env=dependencies, capture_output=True, text=True, check=False)
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


def _run(*command: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done
