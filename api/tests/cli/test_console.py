"""Tables and passages on the terminal."""

from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text
from tests.cli.running import lectern

from lectern.cli.console import show_passage, show_table


def test_a_single_row_wider_than_the_terminal_is_printed_as_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    titles = ["Branch", "Annual rent (EUR)", *(f"Measured in quarter {number}" for number in range(4))]
    row = ["B-07", "48,000", "1", "2", "3", "4"]

    show_table(titles, [row], can_be_list=True)
    assert capsys.readouterr().out.splitlines()[:2] == ["Branch                 B-07", "Annual rent (EUR)      48,000"]
    show_table(titles, [row, row], can_be_list=True)
    assert len(capsys.readouterr().out.splitlines()) == 3
    show_table(titles, [row])
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_rows_of_a_passage_are_aligned_if_they_fit(capsys: pytest.CaptureFixture[str]) -> None:
    rows = "Staff\n\nRole\tNotice\nCashier\t30 days"

    show_passage(Text(rows), indent="   ")
    assert capsys.readouterr().out == "   Staff\n   Role     Notice\n   Cashier  30 days\n"
    show_passage(Text(f"{rows}\t{'long ' * 30}end"), indent="")
    assert capsys.readouterr().out.splitlines()[1] == "Role | Notice"
    show_passage(Text("| Role | Notice |\n|:---|---|\n| Cashier\\|clerk |  |\n\n| A | B |\n| 1 | 2 |"), indent="")
    assert capsys.readouterr().out == "Role           Notice\nCashier|clerk\nA  B\n1  2\n"


def test_a_terminal_gets_rows_within_its_width(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Console(soft_wrap=True, width=30, force_terminal=True, color_system=None)
    monkeypatch.setattr("lectern.cli.console.results", terminal)
    sentence = "Snow shovels were not sold in a mild winter"

    show_passage(Text(f"| Region | Remark | 2025 |\n|---|---|---|\n| North | {sentence} | 4 |"), indent=" ")
    assert capsys.readouterr().out.splitlines() == [
        " Region  Remark           2025",
        " North   Snow shovels     4",
        "         were not sold",
        "         in a mild",
        "         winter",
    ]
    show_passage(Text(f"{'| unbroken-word ' * 4}|\n\n{sentence}"), indent=" ")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == " unbroken-word | unbroken-word"
    assert lines[-2:] == [" Snow shovels were not sold in", " a mild winter"]
    assert max(map(len, lines)) <= 30


@pytest.fixture(scope="module")
def empty(data_home: Path) -> Path:
    """A data folder without users, keys and documents."""
    folder = data_home / "empty"
    migrated = lectern("migrate", "--data-dir", str(folder))
    assert migrated.returncode == 0, migrated.stderr
    return folder


@pytest.mark.parametrize(
    ("group", "line"),
    [
        ("folders", "There is no watched folder. Add one: `lectern folders watch COLLECTION FOLDER`."),
        ("keys", "There is no API key. Add one: `lectern keys create NAME`."),
        ("users", "There is no user. Add one: `lectern users create E-MAIL`."),
        ("models", "There is no added model. Add one: `lectern models add FOLDER`."),
    ],
)
def test_an_empty_list_names_the_command_that_adds_to_it(empty: Path, group: str, line: str) -> None:
    listed = lectern(group, "list", "--data-dir", str(empty))

    assert listed.stdout.startswith(f"{line}\n"), listed.stderr
