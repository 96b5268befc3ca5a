"""The wheel in an empty environment, outside a clone: one command starts everything, and nothing is downloaded."""

import json
import re
import subprocess
import sys
import urllib.request
import venv
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.running import READY, StartUp, Up, wait_until

from lectern import __version__
from release import PROJECTS, build_wheel
from versions import REPOSITORY

PACKAGES = REPOSITORY / ".lectern" / "packages"
GET_THEM = "the packages of the lock files: run `just packages`"
NO_NETWORK = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9")
AS_DELIVERED = {"LECTERN_EMBEDDINGS": "", "LECTERN_UI_DIR": "", "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
QUESTION, ANSWER = "hotel limit per night in London", ["travel-and-expenses-policy.pdf", 3]
pytestmark = [
    pytest.mark.serial,
    pytest.mark.slow,
    pytest.mark.needs(GET_THEM),
    pytest.mark.timeout(1200),
]


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that has the wheels and what they depend on."""
    if not any(PACKAGES.glob("*.whl")):
        pytest.skip(GET_THEM)
    folder = tmp_path_factory.mktemp("installed")
    for name in ("lectern", "lectern-mcp", "lectern-client"):
        build_wheel(REPOSITORY / PROJECTS[name], folder / "wheels", epoch="1767225600")
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-index")
    subprocess.run([*pip, "--find-links", str(PACKAGES), *folder.glob("wheels/*.whl")], check=True)
    return python.parent


@pytest.fixture
def up(scripts: Path, data_home: Path, start_up: StartUp) -> Generator[Up]:
    elsewhere = data_home / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "lectern.py").write_text("raise SystemExit('a module of the folder was started')")
    environment = {**NO_NETWORK, **AS_DELIVERED}
    program = (str(scripts / "lectern"),)
    up = start_up("wheel", program=program, folder=elsewhere, environment=environment, arguments=("--demo",))
    up.wait_for(READY)
    yield up
    assert up.stop() == 0, up.output


def test_the_command_knows_its_version_and_does_not_speak_of_a_clone(scripts: Path, tmp_path: Path) -> None:
    def say(*arguments: str) -> str:
        command = [str(scripts / "lectern"), *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    assert say("--version") == f"lectern {__version__}\n"
    assert "./lectern" not in say("--help")
    assert "clone" not in say("--help")


def test_one_command_starts_everything_with_samples_and_without_a_network(up: Up) -> None:
    up.wait_for("The sample documents are loaded.", seconds=600)
    assert up.get("/") == 200
    assert wait_until(lambda: found_over_rest(up) == ANSWER)
    assert found_over_mcp(up) == ANSWER
    assert "./lectern" not in up.output


def key_of(up: Up) -> dict[str, str]:
    return dict(up.mcp_client["mcpServers"]["lectern"]["headers"])


def found_over_rest(up: Up) -> list[Any]:
    url = f"http://127.0.0.1:{up.port}/api/v1/search"
    hit = json.loads(post(url, {"query": QUESTION, "top_k": 1}, key_of(up)))["data"][0]
    return [hit["document"], hit["page_number"]]


def found_over_mcp(up: Up) -> list[Any]:
    call = {"name": "search", "arguments": {"query": QUESTION}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    text = post(f"http://127.0.0.1:{up.mcp_port}/mcp", message, {**key_of(up), **headers})
    result = json.loads(re.findall(r"^data: (\{.+)$", text, re.MULTILINE)[-1])["result"]
    assert not result.get("isError"), result
    hit = result["structuredContent"]["data"][0]
    return [hit["document"], hit["page_number"]]


def post(url: str, body: dict[str, Any], headers: dict[str, str]) -> str:
    sent = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(url, json.dumps(body).encode(), sent, method="POST")
    with urllib.request.urlopen(request, timeout=60) as response:
        return response.read().decode()
