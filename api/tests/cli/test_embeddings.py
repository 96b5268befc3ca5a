"""A second embedding model: filled, compared, activated, rolled back and removed."""

import json
from pathlib import Path
from typing import Any

from tests.cli.running import READY, StartUp, lectern, wait_until

PAGES = "# Handbook\n\n## Leave\n\nEverybody has 26 days of leave.\n\n## Notice\n\nThe notice period is 30 days.\n"
ASKED = {"id": "leave", "question": "How many days of leave?", "document": "handbook.md", "pages": [1]}
NEXT = {"LECTERN_EMBEDDINGS_NEXT": "hash:48"}


def listed(data: tuple[str, str], *, environment: dict[str, str]) -> dict[int, dict[str, Any]]:
    run = lectern("embeddings", "list", "--json", *data, environment=environment)
    assert run.returncode == 0, run.stderr
    return {generation["id"]: generation for generation in json.loads(run.stdout)}


def test_new_model_is_filled_compared_activated_and_removed(data_home: Path, tmp_path: Path, start_up: StartUp) -> None:
    data = ("--data-dir", str(data_home / "models"))
    handbook, questions = tmp_path / "handbook.md", tmp_path / "asked.jsonl"
    handbook.write_text(PAGES)
    questions.write_text(json.dumps(ASKED))
    assert lectern("ingest", str(handbook), "--wait", *data).returncode == 0
    alone = lectern("eval", "embeddings", str(questions), *data)
    early = lectern("embeddings", "use", "2", *data, environment=NEXT)

    insisted = lectern("embeddings", "use", "2", "--incomplete", *data, environment=NEXT)
    assert (alone.returncode, early.returncode, insisted.returncode) == (1, 1, 0)
    assert lectern("embeddings", "use", "1", *data, environment=NEXT).returncode == 0
    assert "No other model is configured beside the active one." in alone.stderr
    assert "1 documents have no embeddings of this model yet." in early.stderr

    up = start_up("models", environment=NEXT)
    up.wait_for(READY)
    both = {1: ("active", True), 2: ("retired", True)}  # it was active for a moment
    assert wait_until(lambda: listed(data, environment=NEXT)[2]["embedded_chunks"] > 0)
    found = listed(data, environment=NEXT)
    assert {key: (each["state"], each["is_set"]) for key, each in found.items()} == both
    assert found[1]["embedded_chunks"] == found[2]["embedded_chunks"]

    compared = lectern("eval", "embeddings", str(questions), *data, environment=NEXT)
    assert compared.returncode == 0, compared.stderr
    assert "| hash:48 |" in compared.stdout
    assert "0 improved, 0 regressed, 1 unchanged" in compared.stdout

    used = lectern("embeddings", "use", "2", *data, environment=NEXT)
    assert "Search now uses embeddings 2." in used.stdout, used.stderr
    found = lectern("search", "days of leave", "--json", *data, environment=NEXT)
    assert json.loads(found.stdout)["metadata"]["strategy"]["semantic"] == "exact"
    table = lectern("embeddings", "list", *data, environment=NEXT).stdout
    assert "searched before" in table
    back = lectern("embeddings", "use", "1", *data, environment=NEXT)
    assert back.returncode == 0, back.stderr
    refused = lectern("embeddings", "remove", "2", *data, environment=NEXT)
    assert refused.returncode == 1
    assert "remove this model from LECTERN_EMBEDDINGS" in refused.stderr
    assert up.stop() == 0, up.output

    removed = lectern("embeddings", "remove", "2", *data)
    assert removed.returncode == 0, removed.stderr
    assert list(listed(data, environment={})) == [1]
    assert lectern("embeddings", "remove", "1", *data).returncode == 1
