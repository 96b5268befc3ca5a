"""Small functions in small files: what grows past its limit is taken apart, not excused."""

from collections.abc import Iterator
from pathlib import Path

from tests.house.sources import REPOSITORY, read_facts

GENERATED = {
    REPOSITORY / "mcp/src/lectern_mcp/api_models.py",
    REPOSITORY / "clients/lectern-client/src/lectern_client/models.py",
}
LONGEST_FILE = 450
LONGEST_FUNCTION = 60


def python_files() -> Iterator[Path]:
    packages = (folder.relative_to(REPOSITORY) for folder in sorted(REPOSITORY.glob("clients/*/src")))
    scripts = ("api/benchmarks", "api/tools", "mcp/benchmarks")
    for folder in ("api/src", "api/tests", "mcp/src", "mcp/tests", "clients/tests", *scripts, *packages):
        for path in sorted((REPOSITORY / folder).rglob("*.py")):
            if "versions" not in path.parts and path not in GENERATED:  # migrations
                yield path


def test_no_file_is_longer_than_a_reader_can_hold() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in python_files()}

    assert len(lengths) > 100
    assert {str(path): length for path, length in lengths.items() if length > LONGEST_FILE} == {}


def test_no_function_is_longer_than_a_screen() -> None:
    too_long = {
        f"{path.relative_to(REPOSITORY)}:{name}": length
        for path in python_files()
        for name, length in read_facts(path).functions
        if length > LONGEST_FUNCTION
    }

    assert too_long == {}
