"""Several hosts: APIs and workers that share a database and object storage but no folder."""

import contextlib
import json
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import httpx
import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.cli.running import LIMIT_SECONDS, clean_environment, lectern, wait_until

from lectern.embedded.host import free_port
from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.providers.hash import HashProvider

ADMIN = {"email": "admin@example.org", "password": "correct horse battery staple", "use_cookies": False}
DOCUMENTS = Path(__file__).parents[3] / "test-docs" / "documents"
FILES = ("product-catalogue.pdf", "employee-handbook.md", "trasferte-e-rimborsi.pdf")


@contextlib.contextmanager
def host(command: str, folder: Path, environment: dict[str, str]) -> Generator[subprocess.Popen[bytes]]:
    """Start a process with its own data folder."""
    folder.mkdir()
    own = clean_environment(**environment, LECTERN_DATA_DIR=str(folder))
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-m", "lectern", command], env=own, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.terminate()
            process.wait(LIMIT_SECONDS)


@pytest.fixture
def hosts(database: ThrowawayDatabase, tmp_path: Path) -> Iterator[list[httpx.Client]]:
    """Clients of two APIs, with two running workers."""
    prepare_generation(database.owner_url, HashProvider(64).info)
    shared = {
        "DATABASE_URL": database.service_url,
        "LECTERN_STORAGE_URL": (tmp_path / "bucket").as_uri(),
        "JWT_SECRET_KEY": "j" * 40,
        "BACKEND_API_KEY": "b" * 40,
        "ADMIN_EMAIL": str(ADMIN["email"]),
        "ADMIN_PASSWORD": str(ADMIN["password"]),
        "COOKIE_SECURE": "false",
    }
    with contextlib.ExitStack() as stack:
        clients: list[httpx.Client] = []
        for name in ("a", "b"):
            port = free_port()
            stack.enter_context(host("serve", tmp_path / name, {**shared, "LECTERN_PORT": str(port)}))
            address = f"http://127.0.0.1:{port}"
            clients.append(stack.enter_context(httpx.Client(base_url=address, timeout=30, trust_env=False)))
        for name in ("c", "d"):
            stack.enter_context(host("worker", tmp_path / name, shared))
        assert all(wait_until(lambda of=client: is_ready(of)) for client in clients)
        yield clients


def is_ready(client: httpx.Client) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return client.get("/ready").status_code == 200
    return False


def search(client: httpx.Client, headers: dict[str, str]) -> tuple[list[str], bool]:
    """Return the matching documents, and whether the response was cached."""
    answer = client.post("/api/v1/search", json={"query": "warranty of a pump", "top_k": 20}, headers=headers).json()
    return [hit["document_id"] for hit in answer["data"]], answer["metadata"]["is_cached"]


def test_two_apis_and_two_workers_are_one_installation(hosts: list[httpx.Client]) -> None:
    one, other = hosts
    token = one.post("/api/v1/auth/sign-in", json=ADMIN).json()["access_token"]
    headers = {"Authorization": f"Bearer {token}"}

    ids: list[str] = []
    for name in FILES:
        with (DOCUMENTS / name).open("rb") as file:
            sent = one.post("/api/v1/documents", files={"files": (name, file)}, headers=headers)
        assert sent.status_code == 202, sent.text
        ids.append(sent.json()["items"][0]["document"]["id"])

    def are_ready() -> bool:
        time.sleep(0.2)
        return {other.get(f"/api/v1/documents/{i}", headers=headers).json()["status"] for i in ids} == {"ready"}

    assert wait_until(are_ready)
    original = other.get(f"/api/v1/documents/{ids[0]}/original", headers=headers)
    assert original.content == (DOCUMENTS / FILES[0]).read_bytes()
    image = other.get(f"/api/v1/documents/{ids[0]}/pages/1/image", headers=headers)
    assert (image.status_code, image.headers["content-type"].split("/")[0]) == (200, "image")

    first, again = search(one, headers), search(one, headers)
    assert ids[0] in first[0]
    assert (first[1], again) == (False, (first[0], True))
    assert other.delete(f"/api/v1/documents/{ids[0]}", headers=headers).is_success
    found, is_cached = search(one, headers)
    assert ids[0] not in found
    assert not is_cached

    assert other.post("/api/v1/auth/sign-out", headers=headers).status_code == 200
    assert one.get("/api/v1/tags", headers=headers).status_code == 401


def test_adding_files_says_that_no_worker_runs_and_waits_for_one(database: ThrowawayDatabase, tmp_path: Path) -> None:
    prepare_generation(database.owner_url, HashProvider(64).info)
    shared = {
        "DATABASE_URL": database.service_url,
        "DATABASE_OWNER_URL": database.owner_url,
        "LECTERN_STORAGE_URL": (tmp_path / "bucket").as_uri(),
    }
    note, notes = tmp_path / "note.txt", tmp_path / "notes"
    note.write_text("The pump has a warranty of two years.")
    own = clean_environment(**shared, LECTERN_DATA_DIR=str(tmp_path / "a"))
    with notes.open("wb") as output:
        adding = subprocess.Popen(
            [sys.executable, "-m", "lectern", "ingest", str(note), "--wait"], env=own, stderr=output
        )
        assert wait_until(lambda: "No worker is running. Waiting for one" in notes.read_text())
        with host("worker", tmp_path / "b", shared):
            code = adding.wait(LIMIT_SECONDS)
    assert code == 0, notes.read_text()


def test_doctor_reads_the_revision_as_the_owner_and_says_so_without_one(
    database: ThrowawayDatabase, tmp_path: Path
) -> None:
    shared = {"DATABASE_URL": database.service_url, "LECTERN_DATA_DIR": str(tmp_path / "a")}
    as_owner = lectern("doctor", "--json", environment={**shared, "DATABASE_OWNER_URL": database.owner_url})
    as_service = lectern("doctor", "--json", environment=shared)

    assert finding("database", as_owner.stdout)["verdict"] == "good", as_owner.stderr
    assert "neither its revision nor the library is checked" in finding("database", as_service.stdout)["detail"]
    # the folder of an external Postgres is its own matter
    assert finding("data folder", as_owner.stdout)["verdict"] == "good"


def test_doctor_checks_no_port_if_services_may_run_elsewhere(database: ThrowawayDatabase, data_home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as service:
        port = str(service.getsockname()[1])
        external = {"DATABASE_URL": database.service_url, "DATABASE_OWNER_URL": database.owner_url}
        beside = lectern("doctor", "--json", environment={**external, "LECTERN_PORT": port})
        embedded = lectern("doctor", "--json", "--data-dir", str(data_home / "new"), environment={"LECTERN_PORT": port})

    for subject in ("api port", "mcp port"):
        found = finding(subject, beside.stdout)
        assert (found["verdict"], "not checked" in found["detail"]) == ("good", True)
    assert finding("api port", embedded.stdout)["verdict"] == "warning"
    assert finding("database", embedded.stdout)["detail"] == "none yet; `lectern up` creates it"


def finding(subject: str, output: str) -> dict[str, str]:
    return next(one for one in json.loads(output) if one["subject"] == subject)
