"""`lectern eval fit`: a fitted ranker is stored if it gains, used, shown and removed."""

import json
from collections.abc import Iterable
from pathlib import Path

from tests.cli.running import READY, StartUp, lectern
from tests.search.library import Passage, Shelf, store_document

from lectern.cli.open_installation import OpenInstallation, on_installation
from lectern.db.scope import SYSTEM_SCOPE
from lectern.embeddings.providers.hash import HashProvider
from lectern.embeddings.service import get_generation

PARTS = ("filter", "lever", "valve", "pump", "belt", "screw")
MACHINES = [f"machine{number}" for number in range(24)]


async def fill(bench: OpenInstallation) -> None:
    """Store a manual for each machine. The answer is below a heading, and another page repeats the question."""
    provider = HashProvider(64)
    async with bench.database.session(SYSTEM_SCOPE) as session:
        generation = await get_generation(session, provider.info)
        for machine in MACHINES:
            answers = [Passage(f"On {machine} push, then pull.", heading=f"Replace the {part}") for part in PARTS]
            noise = [Passage(f"To replace the {part} of {machine}, see how to replace the {part}.") for part in PARTS]
            shelf = Shelf(provider=provider, generation=generation)
            await store_document(session, [*answers, *noise], filename=f"{machine}.pdf", shelf=shelf)


def write(file: Path, pages: Iterable[int]) -> str:
    """Write a question for two parts of each machine, with these pages as the answers."""
    lines = [
        {"question": f"How do I replace the {part} of {machine}?", "document": f"{machine}.pdf", "pages": [page]}
        for (number, machine), page in zip(((n, m) for m in MACHINES for n in (0, 3)), pages, strict=True)
        for part in [PARTS[number]]
    ]
    file.write_text("\n".join(map(json.dumps, lines)))
    return str(file)


def test_fit_is_measured_stored_shown_and_removed(data_home: Path, tmp_path: Path, start_up: StartUp) -> None:
    data = ("--data-dir", str(data_home / "fitted"))
    start_up("fitted").wait_for(READY)
    on_installation(fill, data_dir=data_home / "fitted")
    answers = write(tmp_path / "answers.jsonl", [1, 4] * len(MACHINES))
    shipped_order = write(tmp_path / "shipped.jsonl", [7, 10] * len(MACHINES))

    def find() -> int:
        run = lectern("search", "How do I replace the filter of machine7?", "--json", *data)
        return json.loads(run.stdout)["data"][0]["page_number"]

    def ranker() -> str:
        listed = json.loads(lectern("embeddings", "list", "--json", *data).stdout)
        return next(each["ranker"] for each in listed if each["state"] == "active")

    before = find()
    tried = lectern("eval", "fit", answers, "--dry-run", *data)
    refused = lectern("eval", "fit", shipped_order, *data)
    unchanged = ranker()
    stored = lectern("eval", "fit", answers, "--json", *data)
    fitted = find()
    again = lectern("eval", "fit", shipped_order, *data)
    examined = lectern("doctor", "--json", *data)
    removed = lectern("eval", "fit", "--remove", *data)

    assert tried.returncode == 0, tried.stderr
    assert "| MRR |" in tried.stdout
    assert "Not stored (--dry-run)." in tried.stderr
    assert (refused.returncode, again.returncode) == (1, 1)
    assert "does not find more" in refused.stderr
    assert (before, unchanged, fitted) == (7, "shipped", 1)
    assert json.loads(stored.stdout)["mrr"]["low"] > 0, stored.stderr
    assert "fitted to this library" in next(
        each["detail"] for each in json.loads(examined.stdout) if each["subject"] == "ranker"
    )
    assert removed.returncode == 0, removed.stderr
    assert (find(), ranker()) == (7, "shipped")


def test_fit_needs_questions(data_home: Path) -> None:
    run = lectern("eval", "fit", "--data-dir", str(data_home / "none"))

    assert run.returncode == 1
    assert "No labelled set is given." in run.stderr
