"""Documentation checks: links resolve, reference pages match the code, commands exist."""

import re
from pathlib import Path

import pytest
from tests.pages import is_shown, json_values, read_blocks

import error_reference
from lectern.cli.admin import environment_file
from lectern.cli.commands import COMMANDS
from lectern.settings.secret_files import FILE_SUFFIX

ROOT = Path(__file__).parents[3]
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("clients/lectern-*/README.md"),
        ROOT / "test-docs" / "README.md",
        ROOT / "corpus" / "README.md",
    ]
)
RECORDS = sorted(ROOT.glob("docs/adr/[0-9]*.md"))
OTHER_VARIABLES = {"LECTERN_KEY", "LECTERN_PYTHON", "LECTERN_CHROMIUM", "LECTERN_LEAK_CALLS"}
"""Variables of the launcher, the tests and the sample agent."""
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_link_to_another_page_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)", page.read_text(encoding="utf-8"))
    broken: list[str] = []
    for path, anchor in links:
        target = page.parent / path if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(f"{path}#{anchor}")

    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_command_that_is_shown_exists(page: Path) -> None:
    shown = re.findall(r"(?:^|`|\./|bin/)lectern ([a-z][a-z-]*)\b", page.read_text(encoding="utf-8"), re.MULTILINE)

    assert set(shown) <= {"test", *(command.name for command in COMMANDS)}


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_variable_exists(page: Path) -> None:
    if page.name == "CHANGELOG.md":
        return  # it names what was removed
    shown = re.findall(r"\b(?:LECTERN|MCP|DATABASE|ADMIN)_[A-Z_]*[A-Z]\b", page.read_text(encoding="utf-8"))
    known = re.findall(r"^# ([A-Z][A-Z_0-9]+)=", environment_file.text(), re.MULTILINE)

    files = {name for name in shown if name.removesuffix(FILE_SUFFIX) in known}

    assert set(shown) - set(known) - files - OTHER_VARIABLES == set()


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_path_of_the_repository_exists(page: Path) -> None:
    shown = re.findall(
        r"`((?:api|mcp|clients|frontend|db|docs|test-docs)/[\w./-]*[\w/])`", page.read_text(encoding="utf-8")
    )

    assert [path for path in shown if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_no_page_has_conflict_markers(page: Path) -> None:
    assert not re.search(r"^(<{7}|>{7}|={7})( |$)", page.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_reference_of_errors_is_what_the_code_prints() -> None:
    page = (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")

    assert page == error_reference.reference(), "run: python api/tools/error_reference.py > docs/reference/errors.md"


def test_every_code_is_snake_case_and_every_error_has_a_message() -> None:
    rows = re.findall(r"^\| `(.*?)` \| (\d+) \| (.*?) \|", error_reference.reference(), re.MULTILINE)

    assert [row for row in rows if not re.fullmatch(r"[a-z]+(_[a-z]+)*", row[0]) or not row[2].endswith(".")] == []


def test_hints_that_the_browser_shows_name_no_request_and_no_field() -> None:
    rows = re.findall(r"^\| `(.*?)` \| \d+ \| .*? \| (.*?) \|$", error_reference.reference(), re.MULTILINE)
    request = re.compile(r"(GET|POST|PUT|PATCH|DELETE) /|\b[a-z]+_(id|seconds)\b")
    only_for_programs = {"model_not_found", "second_factor_required"}

    assert {code for code, hint in rows if request.search(hint)} == only_for_programs


@pytest.mark.parametrize("record", RECORDS, ids=[record.name for record in RECORDS])
def test_a_decision_is_short_and_has_its_three_parts(record: Path) -> None:
    text = record.read_text(encoding="utf-8")

    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"]
    assert len(text.split()) <= 400


def test_the_index_lists_every_decision() -> None:
    index = (ROOT / "docs" / "adr" / "README.md").read_text(encoding="utf-8")

    listed = re.findall(r"^- \[\d+\]\((.+?)\)", index, re.MULTILINE)  # by topic, so not always in order
    assert sorted(listed) == [record.name for record in RECORDS]


def test_every_decision_that_the_code_refers_to_exists() -> None:
    numbers = {int(record.name[:4]) for record in RECORDS}
    names = {record.name for record in RECORDS}
    code = [*ROOT.glob("api/src/**/*.py"), *ROOT.glob("api/src/**/*.sql"), *ROOT.glob("mcp/src/**/*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in code)

    assert {int(number) for number in re.findall(r"(?:docs/adr/|\bADR )(\d+)", text)} <= numbers
    assert set(re.findall(r"docs/adr/(\d{4}-[\w-]+\.md)", text)) <= names


def test_blocks_of_a_page_are_read_and_compared_with_outputs(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        '1. Start:\n\n   ```sh\n   up \\\n     --now\n   ```\n\n```\nReady after 2.5 s.\n{ "key": ... }\n<words>\n```\n'
    )
    command, output = read_blocks(page)

    assert (command.language, command.text) == ("sh", "up \\\n  --now\n")
    assert is_shown(output.text, 'first\nReady after 13.1 s.\n{\n  "key": "lk"\n}\nsecret')
    assert not is_shown(output.text, 'Ready after 13.1 s.\n{"keys": "lk"}\nsecret')
    assert list(json_values('a {"b": {"c": 1}}\n{"d": 2}')) == [{"b": {"c": 1}}, {"d": 2}]
