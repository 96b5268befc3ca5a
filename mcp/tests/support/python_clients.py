"""Run the Python clients of `tests/clients`, or say why they cannot run."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from install import is_installed, python_of

CLIENTS = Path(__file__).parent.parent / "clients"

REMEDY = "run: python mcp/tests/clients/install.py"


async def run_parallel_clients(environment: str, url: str, query: str, keys: dict[str, str]) -> list[dict[str, Any]]:
    """Return the report of twenty clients of each library, whose keys are given; they are ended after four minutes."""
    if not is_installed(environment):
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail(f"the Python clients must be here in CI; {REMEDY}")
        pytest.skip(f"needs the Python clients; {REMEDY}")
    process = await asyncio.create_subprocess_exec(
        *(python_of(environment), "-I", CLIENTS / "parallel.py", url, query, *map("=".join, keys.items())),
        env={name: os.environ.get(name, "") for name in ("PATH", "HOME")},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        output, errors = await asyncio.wait_for(process.communicate(), timeout=240)
    except TimeoutError:
        process.kill()
        await process.wait()
        raise
    assert process.returncode == 0, errors.decode()[-4_000:]
    return [json.loads(line) for line in output.splitlines()]
