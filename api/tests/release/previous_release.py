"""The previous release: its code, a backup that it wrote, and what its users saw.

Make the three files again after a release: `python -m tests.release.previous_release v0.2.0` in `api/`.
"""

import hashlib
import json
import lzma
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import httpx
from tests.cli.running import READY, Up, lectern

HERE: Final = Path(__file__).parent / "previous"
CODE: Final = HERE / "code.tar.xz"
BACKUP: Final = HERE / "library.backup"
EXPECTED: Final = HERE / "expected.json"
REPOSITORY: Final = Path(__file__).parents[3]
SAMPLES: Final = REPOSITORY / "test-docs" / "documents"

EDITOR, PASSWORD = "ada@example.com", "seven-grey-herons-wade"
OPEN, CLOSED = "employee-handbook.md", "resi-e-garanzie.pdf"  # one in a collection for members, seen by the key
NOTE = "Ask Legal about this sentence."
IN_OPEN, IN_CLOSED = "notice period", "come si presenta un reclamo"  # queries


def unpack_code(folder: Path) -> dict[str, str]:
    """Unpack the code of the previous release and return the environment that runs it."""
    with tarfile.open(CODE) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # from Python 3.11.4 on
        archive.extractall(folder)
    return {"PYTHONPATH": f"{folder / 'api' / 'src'}:{folder / 'mcp' / 'src'}"}


def observe(up: Up, *, key: str) -> dict[str, Any]:
    """Return what a person and a key see: documents, search results, originals and notes."""
    with _client(up, _access_token(up, EDITOR, PASSWORD)) as person, _client(up, key) as agent:
        seen: dict[str, Any] = {"person": _seen_by(person, IN_OPEN, IN_CLOSED), "agent": _seen_by(agent, IN_CLOSED)}
        for filename, document in seen["person"]["documents"].items():
            content = person.get(f"/documents/{document['id']}/original").raise_for_status().content
            assert hashlib.sha256(content).hexdigest() == document["sha256"], filename
        notes = _get(person, f"/documents/{seen['person']['documents'][OPEN]['id']}/notes")["items"]
        return {**seen, "notes": [{name: note[name] for name in ("text", "quote", "is_shared")} for note in notes]}


def add_document(up: Up, filename: str, text: str) -> None:
    """Upload a document and wait until it can be found."""
    with _client(up, _access_token(up, EDITOR, PASSWORD)) as client:
        _upload(client, filename, text.encode())


def _seen_by(client: httpx.Client, *queries: str) -> dict[str, Any]:
    documents = _get(client, "/documents", sort="filename")["items"]
    fields = ("id", "sha256", "status", "version", "tags", "page_count", "chunk_count", "embedded_chunk_count")
    return {
        "documents": {
            document["filename"]: {name: document[name] for name in fields}
            | {"collection": document["collection"]["name"]}
            for document in documents
        },
        "searches": {query: _search(client, query) for query in queries},
    }


def _search(client: httpx.Client, query: str) -> list[list[Any]]:
    hits = client.post("/search", json={"query": query, "top_k": 1}).raise_for_status().json()["data"]
    return [[hit["document"], hit["page_number"], hit["text"][:40]] for hit in hits]


def _access_token(up: Up, email: str, password: str) -> str:
    with _client(up, "") as client:
        body = {"email": email, "password": password, "use_cookies": False}
        return str(client.post("/auth/sign-in", json=body).raise_for_status().json()["access_token"])


def _client(up: Up, credential: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {credential}"} if credential else {}
    return httpx.Client(base_url=f"http://127.0.0.1:{up.port}/api/v1", headers=headers, timeout=60)


def _get(client: httpx.Client, path: str, **parameters: str) -> Any:
    return client.get(path, params=parameters).raise_for_status().json()


def _upload(client: httpx.Client, filename: str, content: bytes, **fields: str) -> str:
    answer = client.post("/documents", files={"files": (filename, content)}, data=fields).raise_for_status()
    document_id = str(answer.json()["items"][0]["document"]["id"])
    deadline = time.monotonic() + 60
    while _get(client, f"/documents/{document_id}")["status"] != "ready":
        assert time.monotonic() < deadline, f"{filename} is not ready"
        time.sleep(0.2)
    return document_id


def _fill(up: Up) -> str:
    """Create a library with an editor, a closed collection, a note and a key. Return the key."""
    with _client(up, _access_token(up, *up.first_sign_in)) as admin:

        def post(path: str, **body: Any) -> Any:
            return admin.post(path, json=body).raise_for_status().json()

        editor = post("/users", email=EDITOR, name="Ada", password=PASSWORD, role="editor")
        closed = post("/collections", name="Contracts", is_open=False)
        admin.put(f"/collections/{closed['id']}/members/{editor['id']}", json={"can_write": False}).raise_for_status()
        _upload(admin, CLOSED, (SAMPLES / CLOSED).read_bytes(), collection="Contracts")
        _upload(admin, OPEN, (SAMPLES / OPEN).read_bytes(), tags="Policy")
        key = post("/keys", name="agent", collections=["Contracts"])["key"]
    with _client(up, _access_token(up, EDITOR, PASSWORD)) as person:
        document = _get(person, "/documents/named", name=OPEN)
        note = {"char_start": 10, "char_end": 40, "text": NOTE}
        person.post(f"/documents/{document['id']}/notes", json=note).raise_for_status()
    return str(key)


def make(revision: str) -> None:
    """Write the three files from a commit of this repository."""
    HERE.mkdir(exist_ok=True)
    code = ["git", "archive", "--format=tar", revision, "api/src/lectern", "mcp/src"]
    packed = subprocess.run(code, cwd=REPOSITORY, check=True, capture_output=True).stdout
    CODE.write_bytes(lzma.compress(packed, preset=9 | lzma.PRESET_EXTREME))
    folder = Path(tempfile.mkdtemp(prefix="lectern-previous-"))
    folder.chmod(0o711)  # the account that runs Postgres must enter it
    environment = unpack_code(folder / "code")
    up = Up(folder / "data", environment=environment)
    try:
        up.wait_for(READY)
        key = _fill(up)
        expected = {"commit": _describe(revision), "key": key, "seen": observe(up, key=key)}
        EXPECTED.write_text(json.dumps(expected, indent=2, ensure_ascii=False) + "\n")
        BACKUP.unlink(missing_ok=True)
        made = lectern("backup", str(BACKUP), "--data-dir", str(up.data), environment=environment)
        assert made.returncode == 0, made.stderr
    finally:
        up.stop()
        shutil.rmtree(folder)


def _describe(revision: str) -> str:
    command = ["git", "log", "-1", "--format=%H", revision]
    return subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    make(sys.argv[1])
