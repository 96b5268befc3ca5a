"""Check or set the version of the project: `python api/tools/versions.py [1.2.3]`.

It is defined in `api/src/lectern/__init__.py`. Packages that do not depend on that repeat it, and a test compares them.
"""

import re
import sys
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).resolve().parents[2]
SOURCE: Final = "api/src/lectern/__init__.py"
_NUMBER: Final = r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?"
_PROJECT: Final = r'^version = "(.+)"$'
_JSON: Final = r'^ *"version": "(.+)",?$'
# Each file with the patterns of its versions. A pattern matches once.
COPIES: Final = {
    "mcp/pyproject.toml": (_PROJECT,),
    "mcp/src/lectern_mcp/settings.py": (r'^VERSION = "(.+)"$',),
    "mcp/server.json": (r'^  "version": "(.+)",$', r'^      "version": "(.+)",$'),
    "mcp/bundle/manifest.json": (_JSON,),
    "clients/lectern-client/pyproject.toml": (_PROJECT,),
    "clients/lectern-langchain/pyproject.toml": (_PROJECT, r'"lectern-client==([^"]+)"'),
    "clients/lectern-llamaindex/pyproject.toml": (_PROJECT, r'"lectern-client==([^"]+)"'),
    "frontend/package.json": (_JSON,),
    "frontend/package-lock.json": (
        r'\A\{\n  "name": "lectern-frontend",\n  "version": "(.+)",$',
        r'^      "name": "lectern-frontend",\n      "version": "(.+)",$',
    ),
    "deploy/helm/lectern/Chart.yaml": (r"^version: (.+)$", r'^appVersion: "(.+)"$'),
    "api/openapi.json": (r'"title": "Lectern",\n    "version": "(.+)"$',),
}


class VersionError(Exception):
    """A version is malformed or missing in a file."""


def read_version(root: Path = REPOSITORY) -> str:
    """Return the version of the project."""
    return _match_once(root, SOURCE, r'^__version__ = "(.+)"$')[1]


def find_differences(root: Path = REPOSITORY) -> list[str]:
    """Return `FILE: VERSION` for every copy that differs."""
    version = read_version(root)
    copies = [(path, _match_once(root, path, pattern)[1]) for path, patterns in COPIES.items() for pattern in patterns]
    return [f"{path}: {copy}" for path, copy in copies if copy != version]


def set_version(version: str, root: Path = REPOSITORY) -> None:
    """Write the version to its definition and to every copy.

    Raises:
        VersionError: The version is not like 1.2.3 or 1.2.3rc1.
    """
    if not re.fullmatch(_NUMBER, version):
        raise VersionError(f"{version} is not a version. Use one such as 1.2.3 or 1.2.3rc1.")
    for path, patterns in {SOURCE: (r'^__version__ = "(.+)"$',), **COPIES}.items():
        for pattern in patterns:
            match = _match_once(root, path, pattern)
            text = match.string[: match.start(1)] + version + match.string[match.end(1) :]
            (root / path).write_text(text, encoding="utf-8")


def _match_once(root: Path, path: str, pattern: str) -> re.Match[str]:
    matches = list(re.finditer(pattern, (root / path).read_text(encoding="utf-8"), re.MULTILINE))
    if len(matches) != 1:
        raise VersionError(f"{path} has {len(matches)} versions that match {pattern}. It must have one.")
    return matches[0]


def main(arguments: list[str]) -> int:
    try:
        if arguments:
            set_version(arguments[0])
        differences = find_differences()
    except VersionError as error:
        print(f"versions: {error}", file=sys.stderr)
        return 1
    print(read_version(), *differences, sep="\n")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
