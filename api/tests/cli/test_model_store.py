"""Models are added from a server, used for embeddings and reranking, verified and removed."""

import json
import re
from pathlib import Path

from tests.cli.running import READY, StartUp, lectern, wait_until
from tests.cli.test_embeddings import listed
from tests.embeddings.tiny_model import DIMENSIONS, write_tiny_model
from tests.operations.model_store.file_server import file_server
from tests.search.reranking.tiny_cross_encoder import write_tiny_cross_encoder

WORDS = "The notice period is 30 days"


def test_added_models_embed_and_rerank(data_home: Path, tmp_path: Path, start_up: StartUp) -> None:
    data = ("--data-dir", str(data_home / "added"))
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "leave.md").write_text("# Leave\n\nThe notice period of a day of leave is a week.\n")
    (documents / "notice.md").write_text("# Notice\n\nThe notice period is 30 days.\n")
    assert lectern("ingest", str(documents), "--wait", *data).returncode == 0

    write_tiny_cross_encoder(tmp_path / "likes-notice", {"notice": 1.0})
    ranks = lectern("models", "add", str(tmp_path / "likes-notice"), "--kind", "reranker", "--json", *data)
    assert ranks.returncode == 0, ranks.stderr
    with file_server(write_tiny_model(tmp_path / "tiny", words=WORDS)) as server:
        added = lectern("models", "add", "small", "--from", server.url, "--json", *data)
    assert added.returncode == 0, added.stderr
    record = json.loads(added.stdout)
    assert (record["kind"], record["dimensions"], record["source"]) == ("embedding", DIMENSIONS, server.url)

    settings = dict(json.loads(run.stdout)["setting"].split("=", 1) for run in (added, ranks))
    assert settings.keys() == {"LECTERN_EMBEDDINGS_NEXT", "LECTERN_RERANK"}
    up = start_up("added", environment=settings)
    up.wait_for(READY)
    assert wait_until(lambda: listed(data, environment=settings)[2]["embedded_chunks"] > 0)
    both = listed(data, environment=settings)
    assert (both[1]["state"], both[2]["state"]) == ("active", "filling")
    assert both[2]["embedding_model"] == "small"

    used = lectern("embeddings", "use", "2", *data, environment=settings)
    assert used.returncode == 0, used.stderr
    found = lectern("search", "notice period", "--json", *data, environment=settings)
    metadata = json.loads(found.stdout)["metadata"]
    assert metadata["strategy"]["semantic"] == "exact"
    assert metadata["reranking"]["state"] == "applied"
    assert up.stop() == 0, up.output


def test_models_are_listed_verified_and_removed(tmp_path: Path) -> None:
    data = ("--data-dir", str(tmp_path / "data"))
    added = lectern("models", "add", str(write_tiny_model(tmp_path / "tiny", words=WORDS)), *data)
    assert added.stdout.startswith("Added tiny: embedding model, 24 dimensions, 16 tokens, licence unknown, ")
    setting = f"LECTERN_EMBEDDINGS_NEXT=onnx:{tmp_path}/data/models/tiny"
    assert f"To use it, set {setting} and restart." in added.stdout

    table = lectern("models", "list", *data).stdout
    assert setting in table
    assert "bge-reranker-v2-m3" in table
    assert lectern("models", "verify", *data).stdout == "tiny: 7 files are unchanged.\n"
    (tmp_path / "data/models/tiny/lectern.json").write_text("{}")
    changed = lectern("models", "verify", "tiny", *data)
    assert (changed.returncode, changed.stdout) == (1, "")
    assert "lectern.json of tiny differs from its recorded SHA-256." in changed.stderr

    examined = lectern("doctor", *data)
    assert examined.returncode == 1
    assert re.search(r"^bad +models +lectern.json of tiny differs from ", examined.stdout, re.MULTILINE)

    assert lectern("models", "remove", "tiny", *data).returncode == 0
    assert json.loads(lectern("models", "list", "--json", *data).stdout) == []
    assert lectern("models", "verify", *data).stdout == "There are no added models.\n"
    unknown = lectern("models", "add", "bge-m3", *data)
    assert "such as the address of the files of BAAI/bge-m3." in unknown.stderr
