"""The shape of the service: thin, without a database, documented, and its types those of the API."""

import ast
import json
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import mcp
import pytest
from mcp import Client

from lectern_mcp.settings import VERSION, McpSettings

ROOT = Path(__file__).parents[1]
REPOSITORY = ROOT.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
WRITTEN = [path for path in SOURCES if path.name != "api_models.py"]
REFERENCE = (REPOSITORY / "docs" / "reference" / "mcp-tools.md").read_text(encoding="utf-8")
FORBIDDEN = {"lectern", "sqlalchemy", "psycopg", "pgvector", "openai", "pypdf", "pypdfium2", "tiktoken", "numpy"}
MAX_CORE_STATEMENTS = 1_194
MAX_TOOLSET_STATEMENTS = 160


def count_statements(path: Path) -> int:
    """Return the number of statements without docstrings. Line breaks do not matter."""
    return sum(
        isinstance(node, ast.stmt) and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    )


def test_the_core_of_the_service_and_each_toolset_stay_thin() -> None:
    core = [path for path in WRITTEN if path.parent.name != "tools"]
    assert sum(map(count_statements, core)) <= MAX_CORE_STATEMENTS
    toolsets = [path for path in WRITTEN if path.parent.name == "tools"]
    assert max(map(count_statements, toolsets)) <= MAX_TOOLSET_STATEMENTS


@pytest.mark.parametrize("path", [*WRITTEN, *sorted((ROOT / "tests").rglob("*.py"))], ids=str)
def test_files_and_functions_stay_short(path: Path) -> None:
    if "node_modules" in path.parts:
        return
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 300
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 40, node.name


def test_nothing_of_the_api_its_database_or_its_parsers_is_imported() -> None:
    imported = {
        name.split(".")[0]
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in _imported(node)
    }
    assert "mcp" in imported
    assert not imported & FORBIDDEN


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []


def test_only_the_settings_read_the_environment() -> None:
    readers = {path.name for path in WRITTEN if re.search(r"\bos\.|getenv", path.read_text(encoding="utf-8"))}
    assert readers <= {"settings.py"}


def test_the_folder_mcp_does_not_hide_the_installed_package_mcp() -> None:
    assert "site-packages" in (mcp.__file__ or "")
    assert not (ROOT / "__init__.py").exists()
    assert not [path for path in SOURCES if path.name == "mcp.py"]


def test_the_version_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == VERSION


def test_variables_of_other_programs_are_not_taken_for_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = {"backend_api_key": "service-key-0123456789abcdef0123456789"}
    plain = McpSettings.model_validate(wanted)
    for name, field in McpSettings.model_fields.items():
        if name.upper() != field.alias:
            monkeypatch.setenv(name.upper(), "of another program")

    assert McpSettings.model_validate(wanted) == plain


def test_every_setting_is_in_the_reference_with_its_description_and_default() -> None:
    for field in McpSettings.model_fields.values():
        assert field.description
        (row,) = [line for line in REFERENCE.splitlines() if line.startswith(f"| `{field.alias}` |")]
        assert field.description in row
        if not field.is_required() and field.default is not None:
            shown: Any = field.default
            assert f"`{json.dumps(shown) if isinstance(shown, list) else shown}`" in row


async def test_every_tool_resource_prompt_and_error_code_is_in_the_reference(everything: Client) -> None:
    client = everything
    for tool in (await client.list_tools()).tools:
        section = REFERENCE.split(f"### `{tool.name}`")[1].split("### ")[0]
        for argument in tool.input_schema["properties"]:
            assert f"`{argument}`" in section, (tool.name, argument)
    for template in (await client.list_resource_templates()).resource_templates:
        assert f"`{template.uri_template}`" in REFERENCE
    for prompt in (await client.list_prompts()).prompts:
        assert f"`{prompt.name}" in REFERENCE
    from lectern_mcp.errors import DEFAULTS

    assert all(f"| `{code}` |" in REFERENCE for code in DEFAULTS)


def test_the_types_of_the_api_are_generated_from_its_description() -> None:
    generator = _load(ROOT / "generate_api_models.py")
    description: dict[str, Any] = json.loads(generator.DESCRIPTION.read_text(encoding="utf-8"))
    for path, operations in generator.OPERATIONS.items():
        generated = generator.generate(description, operations)
        assert generated == path.read_text(encoding="utf-8"), "run: python mcp/generate_api_models.py"


def _load(path: Path) -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module
