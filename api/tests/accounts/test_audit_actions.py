"""Every action that the audit log records has a name in each language of the browser UI."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[3]
SOURCES = REPOSITORY / "api" / "src" / "lectern"
LOCALES = REPOSITORY / "frontend" / "src" / "locales"


def actions_in(tree: ast.AST) -> Iterator[str]:
    """Yield the constants passed or assigned as `action`, and those of `RecordedRead`."""
    for node in ast.walk(tree):
        match node:
            case ast.keyword(arg="action", value=ast.Constant(value=str(action))) if "." in action:
                yield action
            case ast.Assign(targets=[ast.Name(id="action")], value=ast.Constant(value=str(action))):
                yield action
            case ast.Call(func=ast.Name(id="RecordedRead"), args=[ast.Constant(value=str(action)), *_]):
                yield action
            case _:
                continue


def recorded_actions() -> set[str]:
    return {action for path in SOURCES.rglob("*.py") for action in actions_in(ast.parse(path.read_text("utf-8")))}


def test_the_sources_are_read() -> None:
    assert {"answer.ask", "document.upload", "user.link_identity", "webhook.rotate"} <= recorded_actions()


@pytest.mark.parametrize("language", ["en", "it"])
def test_every_action_has_a_name(language: str) -> None:
    texts: dict[str, Any] = json.loads((LOCALES / language / "system.json").read_text("utf-8"))["audit"]

    missing = {
        action for action in recorded_actions() if not texts.get((parts := action.split("."))[0], {}).get(parts[1])
    }

    assert not missing
