"""The code in docs/how-to/integrate.md and in the READMEs runs as it is written, with another address and key."""

import asyncio
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from real_api import RealApi

from documents import TRAVEL
from wheels import CLIENTS, Installed

GUIDE = CLIENTS.parent / "docs" / "how-to" / "integrate.md"
PAGES = [GUIDE, *sorted(CLIENTS.glob("lectern-*/README.md"))]


def blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


PROGRAMS = [
    pytest.param(code, id=f"{page.parent.name} {n}") for page in PAGES for n, code in enumerate(blocks(page, "python"))
]


async def filled(code: str, api: RealApi) -> str:
    key, _ = await api.key(toolsets=["search", "answers"])
    assert "http://127.0.0.1:8000" in code
    return code.replace("http://127.0.0.1:8000", api.url).replace("KEY", key)


@pytest.mark.needs("LangChain and LlamaIndex of mcp/tests/clients")
@pytest.mark.parametrize("code", PROGRAMS)
async def test_every_program_finds_the_passage(api: RealApi, installed: Installed, code: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(await filled(code, api), encoding="utf-8")
    command = [installed.python, program]
    done = await asyncio.to_thread(
        subprocess.run, command, env=installed.variables(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert TRAVEL in done.stdout
    assert f"/documents/{api.ids[TRAVEL]}?page=" in done.stdout


async def test_the_requests_find_the_passage_and_the_answer(api: RealApi) -> None:
    assert shutil.which("curl"), "needs curl"
    search, answer = [block for block in blocks(GUIDE, "sh") if "curl" in block]
    replies: list[str] = []
    for block in (search, answer):
        command = ["bash", "-euc", await filled(block, api)]
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        replies.append(done.stdout)
    assert {hit["document"] for hit in json.loads(replies[0])["data"]} == {TRAVEL}
    answered = json.loads(replies[1])["data"]
    assert answered["citations"][0]["document"] == TRAVEL, replies[1][:2_000]


def test_every_command_to_install_names_packages_that_are_here() -> None:
    commands = [block for page in PAGES for block in blocks(page, "sh") if block.startswith("pip install")]
    assert len(commands) == 5
    for command in commands:
        for path in command.split()[2:]:
            assert (CLIENTS.parent / path / "pyproject.toml").is_file(), path
