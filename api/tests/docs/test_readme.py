"""README and the quickstart, followed word for word in a container that has Python and nothing else.

The first start takes the time, as for everybody. On two cores: packages 42 s, Node and browser UI 36 s, services 7 s,
model and samples 45 s, all other commands 22 s. The clone is in memory because 60,000 files are written and deleted.
tests/compose/test_page.py follows the other way, with Docker.
"""

import re
import secrets
import subprocess
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from tests.compose.conftest import GET_IT, Engine, copy_clone
from tests.pages import Terminal, is_shown, json_values, read_blocks

ROOT = Path(__file__).parents[3]
README, QUICKSTART = ROOT / "README.md", ROOT / "docs" / "quickstart.md"
CLONE = "/srv"
IN_MEMORY = f"{CLONE}:rw,exec,mode=755,size=6g"
PAPER = "# Parking\n\nThe car park of the head office closes at 22:30 on weekdays.\n"
START_SECONDS, COMMAND_SECONDS = 900, 180
TRAVEL = "travel-and-expenses-policy.pdf"
# README asks for curl after Lectern has started, and the public base image has none.
HIDE_CURL = 'path=$(command -v curl) && mv "$path" /var/tmp/curl || true'
ADD_CURL = "mv /var/tmp/curl /usr/bin/ || { apt-get update -qq && apt-get install -y -qq curl; }"
LEFT_OUT = ("./lectern test", "DATABASE_")  # runs this test, and settings of a Postgres that is not here
AGENT = """
import asyncio, json, sys
import httpx
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

async def main(url, headers):
    http = httpx.AsyncClient(headers=headers)
    async with http, Client(streamable_http_client(url, http_client=http)) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        result = await client.call_tool("search", {"query": "hotel limit per night in London"})
        hit = result.structured_content["data"][0]
        print(json.dumps({"tools": tools, "hit": [hit["document"], hit["page_number"]]}))

asyncio.run(main(sys.argv[1], json.loads(sys.argv[2])))
"""

pytestmark = [pytest.mark.slow, pytest.mark.needs(GET_IT), pytest.mark.timeout(1500)]


class Machine:
    """A container with Python, a clone and a terminal."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.container
        self._name = f"lectern-test-{secrets.token_hex(3)}"
        self._up: Terminal | None = None

    def start(self, clone: Path) -> None:
        image = re.findall(r"^FROM (python:\S+)", (ROOT / "api" / "Dockerfile").read_text(), re.MULTILINE)[-1]
        self._run("run", "--detach", "--name", self._name, "--tmpfs", IN_MEMORY, image, "sleep", "infinity")
        archive = subprocess.run(["tar", "-c", "."], cwd=clone, capture_output=True, check=True).stdout
        self.execute("tar", "-x", "--no-same-owner", "-C", CLONE, stdin=archive)
        self.execute("sh", "-c", HIDE_CURL)

    def execute(self, *command: str, stdin: bytes = b"") -> str:
        return self._run("exec", "--interactive", "--workdir", CLONE, self._name, *command, stdin=stdin)

    def type(self, command: str) -> str:
        """Return the output of a command. `./lectern up` goes on in its own terminal."""
        if command.startswith("./lectern up"):
            return self._start(command)
        if "curl " in command:
            self.execute("sh", "-c", ADD_CURL)
        terminal = Terminal(self._in_terminal(command))
        try:
            assert terminal.wait(seconds=COMMAND_SECONDS) == 0, terminal.output
        finally:
            terminal.close()
        return terminal.output

    def stop(self) -> str:
        """Press Ctrl-C where Lectern runs."""
        assert self._up is not None
        up, self._up = self._up, None
        up.press_ctrl_c()
        assert up.wait(seconds=COMMAND_SECONDS) == 0, up.output
        return up.output

    def remove(self) -> None:
        for command in ("kill", "rm"):
            subprocess.run([self._engine, command, self._name], capture_output=True, check=False, timeout=120)
        if self._up is not None:
            self._up.close()

    def _start(self, command: str) -> str:
        if self._up is None:
            self._up = Terminal(self._in_terminal(command))
            self._up.wait_for("The sample documents are loaded.", seconds=START_SECONDS)
        return self._up.output

    def _in_terminal(self, command: str) -> list[str]:
        options = ("--interactive", "--tty", "--workdir", CLONE)
        return [self._engine, "exec", *options, self._name, "bash", "-ec", command]

    def _run(self, *arguments: str, stdin: bytes = b"") -> str:
        done = subprocess.run([self._engine, *arguments], input=stdin, capture_output=True, check=False, timeout=120)
        assert done.returncode == 0, f"{' '.join(arguments)}: {done.stderr.decode()[-2000:]}"
        return done.stdout.decode()


@pytest.fixture
def machine(engine: Engine, tmp_path: Path) -> Generator[Machine]:
    clone = tmp_path / "clone"  # open to every account, as a clone is
    copy_clone(clone, ["."])
    made = Machine(engine)
    try:
        made.start(clone)
        yield made
    finally:
        made.remove()


def follow(page: Path, machine: Machine) -> dict[str, str]:
    """Type the commands of a page and return their outputs. Each must be as the page shows it."""
    outputs: dict[str, str] = {}
    blocks = read_blocks(page)
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        if block.language == "sh" and not block.text.startswith(LEFT_OUT):
            outputs[block.text] = output = machine.type(block.text)
            if following is not None and not following.language:
                assert is_shown(following.text, output), output
    return outputs


def output_of(word: str, outputs: dict[str, str]) -> str:
    return next(output for command, output in outputs.items() if word in command)


def ask_as_agent(machine: Machine, snippet: Any) -> Any:
    """Return the tools and the first hit that an MCP client with these settings sees."""
    server = snippet["mcpServers"]["lectern"]
    assert server.pop("type") == "http"
    python = (".lectern/venv/bin/python", "-c", AGENT)
    return next(json_values(machine.execute(*python, server["url"], str(server["headers"]).replace("'", '"'))))


def test_readme_and_quickstart_word_for_word(machine: Machine) -> None:
    readme = follow(README, machine)
    start = output_of("./lectern up", readme)
    assert "No worker is running" not in start

    example = next(block.text for block in read_blocks(README) if block.language == "json")
    assert is_shown(example.replace("YOUR_KEY", "..."), start)
    seen = ask_as_agent(machine, next(json_values(start)))
    assert seen == {"tools": tools_of(README), "hit": [TRAVEL, 3]}

    uploaded, found = json_values(output_of("curl", readme))
    assert [(item["filename"], item["document"]["tags"]) for item in uploaded["items"]] == [("privacy.md", ["manual"])]
    assert (len(found["data"]), found["data"][0]["document"], found["data"][0]["page_number"]) == (3, TRAVEL, 3)

    machine.execute("bash", "-c", "mkdir ~/papers && cat > ~/papers/parking.md", stdin=PAPER.encode())
    used = output_of("./lectern ingest", follow(QUICKSTART, machine))
    assert "parking.md: ready" in used
    assert used.count("employee-handbook.md, page 1, Leaving") == 2  # of the search and of the answer
    assert next(json_values(used))["data"][0]["document"] == "employee-handbook.md"

    suggestion = re.findall(r"Try: (.+)", start)[0]
    assert machine.type(suggestion).startswith("1. aml-kyc-policy.pdf, page ")
    assert megabytes(machine, CLONE) < 3_000
    assert megabytes(machine, f"{CLONE}/.lectern/venv") < 1_100  # README says 1 GB
    assert downloaded_megabytes(machine) < 600  # 410 of packages, and pages of an index that may not be compressed
    assert machine.stop().rstrip().endswith("lectern: stopped")


def tools_of(page: Path) -> list[str]:
    line = re.findall(r"^Five tools are on by default: (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)[0]
    return re.findall(r"`(\w+)`", line)


def megabytes(machine: Machine, folder: str) -> int:
    return int(machine.execute("du", "--summarize", "--block-size=1M", folder).split()[0])


def downloaded_megabytes(machine: Machine) -> float:
    return int(re.findall(r"eth0: *(\d+)", machine.execute("cat", "/proc/net/dev"))[0]) / 1e6
