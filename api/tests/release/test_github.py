"""Workflows and issue forms are valid by GitHub's schemas. They cannot be run here."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from versions import REPOSITORY

GITHUB = REPOSITORY / ".github"
SCHEMAS = {
    "vendor.github-workflows": sorted(GITHUB.glob("workflows/*.yml")),
    "vendor.github-issue-forms": [GITHUB / "ISSUE_TEMPLATE" / "bug.yml", GITHUB / "ISSUE_TEMPLATE" / "feature.yml"],
    "vendor.github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
    "vendor.dependabot": [GITHUB / "dependabot.yml"],
}


def check(schema: str, *files: Path) -> subprocess.CompletedProcess[str]:
    program = str(Path(sys.executable).with_name("check-jsonschema"))
    command = [program, "--builtin-schema", schema, *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_for_github_match_their_schema(schema: str) -> None:
    assert SCHEMAS[schema]

    checked = check(schema, *SCHEMAS[schema])

    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_workflow_with_a_misspelt_key_is_refused(tmp_path: Path) -> None:
    text = (GITHUB / "workflows" / "test.yml").read_text(encoding="utf-8")
    (tmp_path / "test.yml").write_text(text.replace("runs-on:", "run-on:"))

    assert check("vendor.github-workflows", tmp_path / "test.yml").returncode != 0


def test_every_action_is_pinned_to_a_commit_and_every_path_exists() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in SCHEMAS["vendor.github-workflows"])

    used = re.findall(r"uses: (.+)", text)
    assert used
    assert [action for action in used if not re.fullmatch(r"\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)] == []
    paths = re.findall(r"(?<![\w/.-])((?:api|deploy|mcp|db|frontend|\.ci)/[\w./-]+)", text)
    assert [path for path in paths if not (REPOSITORY / path).exists()] == []
