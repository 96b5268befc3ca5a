"""Rules of the house that no linter knows."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import mcp
import pytest
from tests.house.sources import REPOSITORY, Handler, collect_facts, read_facts

from lectern.cli.admin.reference import reference
from lectern.settings import SECTIONS, variables_of

API = REPOSITORY / "api"
SELDOM_USED = {"PIL", "docx", "httpx", "lxml", "onnxruntime", "openai", "openpyxl", "pypdf", "pypdfium2", "rapidocr"}


@pytest.mark.parametrize(
    "source", ["import os\nos.environ['A']", "import os\nos.getenv('A')", "from os import environ\n"]
)
def test_the_check_of_the_next_test_finds_what_it_looks_for(source: str) -> None:
    assert collect_facts(source).environment_reads != []


def test_nothing_but_the_settings_reads_the_environment() -> None:
    found = [
        f"{path.relative_to(REPOSITORY)}:{line}"
        for service in ("api", "mcp")
        for path in sorted((REPOSITORY / service / "src").rglob("*.py"))
        if path.name != "settings.py" and path.parent.name != "settings"
        for line in read_facts(path).environment_reads
    ]

    assert found == []


def handlers_of(error: str) -> Iterator[tuple[str, Handler]]:
    """Handlers of an error class, each with its file."""
    for service in ("api", "mcp"):
        for path in sorted((REPOSITORY / service / "src").rglob("*.py")):
            for handler in read_facts(path).handlers:
                if handler.error == error:
                    yield str(path.relative_to(REPOSITORY)), handler


def test_broad_exception_handlers_are_those_that_contributing_lists() -> None:
    text = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = {path: int(count) for path, count in re.findall(r"^\| `(\S+\.py)` \| (\d+) \|", text, re.MULTILINE)}

    assert Counter(path for path, _ in handlers_of("Exception")) == listed


def test_handlers_of_every_exception_raise() -> None:
    silent = [f"{path}:{handler.line}" for path, handler in handlers_of("BaseException") if not handler.has_raise]

    assert silent == []


def test_the_installed_sdk_is_not_shadowed_by_the_folder_of_the_same_name() -> None:
    assert mcp.__file__ is not None
    assert "site-packages" in mcp.__file__


def test_rooms_import_downwards_only() -> None:
    linter = Path(sys.executable).with_name("lint-imports")

    run = subprocess.run([str(linter), "--no-cache"], cwd=API, capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 broken" in run.stdout


def test_locks_carry_hashes_and_no_addresses() -> None:
    locks = sorted(REPOSITORY.glob("*/requirements*.lock"))
    assert len(locks) >= 4

    for lock in locks:
        content = lock.read_text()
        assert "://" not in content, lock
        requirements = [line for line in content.splitlines() if line and not line.startswith((" ", "#"))]
        assert requirements
        assert content.count("    --hash=sha256:") >= len(requirements), lock


def test_every_setting_is_described() -> None:
    silent = [
        f"{section.__name__}.{name}"
        for section in SECTIONS
        for name, field in section.model_fields.items()
        if not (field.description or "").strip()
    ]

    assert silent == []


def test_no_two_settings_share_a_variable() -> None:
    variables = [name for section in SECTIONS for name in variables_of(section)]

    assert len(set(variables)) == len(variables)


def test_variables_of_other_programs_are_not_taken_for_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = {section: section() for section in SECTIONS}
    for section in SECTIONS:
        for name, field in section.model_fields.items():
            if name.upper() != field.validation_alias:
                monkeypatch.setenv(name.upper(), "of another program")

    assert {section: section() for section in SECTIONS} == plain


def test_the_reference_of_settings_is_that_of_the_code() -> None:
    written = (REPOSITORY / "docs" / "reference" / "settings.md").read_text()

    assert written == reference(), "run `lectern settings > docs/reference/settings.md`"


@pytest.mark.parametrize("module", ["lectern.app", "lectern.worker", "lectern.cli.main"])
def test_a_process_starts_without_what_it_may_never_use(module: str) -> None:
    """Clients of services that are seldom set, models and parsers of files: they would be half of a start."""
    run = subprocess.run(
        [sys.executable, "-c", f"import sys, {module}; print(*sys.modules)"], capture_output=True, text=True, check=True
    )

    unused = SELDOM_USED | ({"fastapi"} if module == "lectern.worker" else set[str]())
    assert {name.partition(".")[0] for name in run.stdout.split()} & unused == set()


def test_most_formats_are_read_and_pages_drawn_without_numpy() -> None:
    """Every file pays for the start of the process that reads or draws it. Loading numpy takes most of one."""
    read = ("epub", "mail.eml", "markdown", "markup", "office.docx", "office.pptx", "opendocument.reader", "text")
    names = (*read, "image", "pdf.rendering")
    modules = ", ".join(f"lectern.extraction.formats.{name}" for name in names)
    run = subprocess.run(
        [sys.executable, "-c", f"import sys, {modules}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "numpy" not in run.stdout.split()
