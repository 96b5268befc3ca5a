"""`lectern up`: one command starts everything, one key stops it, and nothing remains."""

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from tests.cli.running import READY, StartUp, Up, lectern, read_json, status_of, wait_until
from tests.loopback import RefusingBucket, serving

from lectern.embedded.host import find_process, free_port

linux_only = pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc: looks at other processes")


def sign_in(up: Up, email: str, password: str) -> int:
    body = f'{{"email": "{email}", "password": "{password}"}}'.encode()
    headers = {"Content-Type": "application/json"}
    url = f"http://127.0.0.1:{up.port}/api/v1/auth/sign-in"
    return status_of(urllib.request.Request(url, body, headers, method="POST"))


def call_mcp(snippet: Any, *, key: str | None = None) -> int:
    server: dict[str, Any] = snippet["mcpServers"]["lectern"]
    headers: dict[str, str] = dict(server["headers"]) if key is None else {"Authorization": f"Bearer {key}"}
    headers |= {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    body = (
        b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",'
        b' "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}'
    )
    return status_of(urllib.request.Request(server["url"], body, headers, method="POST"))


def test_announced_addresses_and_credentials_work(installation: Up) -> None:
    email, password = installation.first_sign_in
    snippet = installation.mcp_client

    assert installation.get("/health") == 200
    assert installation.get("/docs") == 200
    assert sign_in(installation, email, password) == 200
    assert sign_in(installation, email, "not the password") == 401
    assert call_mcp(snippet) == 200
    assert call_mcp(snippet, key="lk_not_a_key") == 401


def test_a_bucket_that_cannot_be_used_is_named(start_up: StartUp) -> None:
    keys = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_REGION": "here", "AWS_ALLOW_HTTP": "true"}
    with serving(RefusingBucket, 404) as endpoint:
        bucket = {"LECTERN_STORAGE_URL": "s3://zanzibar", "AWS_ENDPOINT": endpoint}
        up = start_up("bucket", environment={**bucket, **keys})
        up.wait_for(READY)
        up.wait_for("zanzibar")  # in the log

        assert "but not ready: storage. The log says why." in up.output
        assert "Lectern is ready" not in up.output
        assert up.stop() == 0, up.output


def send_endless_head(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: ")
        for _ in range(100):
            connection.sendall(b"x" * 10_000)
            time.sleep(0.01)


def test_a_connection_with_an_endless_head_is_closed(installation: Up) -> None:
    with pytest.raises(ConnectionError):
        send_endless_head(installation.port)
    assert installation.get("/health") == 200


def test_api_returns_the_mcp_address(installation: Up) -> None:
    email, password = installation.first_sign_in
    body = json.dumps({"email": email, "password": password}).encode()
    headers = {"Content-Type": "application/json"}
    api = f"http://127.0.0.1:{installation.port}/api/v1"
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with browser.open(urllib.request.Request(f"{api}/auth/sign-in", body, headers), timeout=20):
        pass
    with browser.open(f"{api}/system/mcp-address", timeout=20) as answer:
        response = json.load(answer)

    assert response == {"url": installation.mcp_client["mcpServers"]["lectern"]["url"]}


@linux_only
def test_services_and_postgres_restart_after_kill_9(installation: Up) -> None:
    for service in ("serve", "worker", "postgres"):
        before = installation.pid_of(service)
        os.kill(before, signal.SIGKILL)
        assert wait_until(lambda gone=before: find_process(gone) is None)
        assert wait_until(lambda name=service, gone=before: installation.has(name, other_than=gone)), (
            installation.output
        )
        assert wait_until(lambda: installation.get("/ready") == 200), installation.output


@linux_only
def test_nothing_outlives_it_and_the_next_start_is_healthy(start_up: StartUp) -> None:
    chosen = {"ADMIN_EMAIL": "me@example.org", "ADMIN_PASSWORD": "chosen-by-the-operator"}
    first = start_up("killed", environment=chosen)
    first.wait_for(READY)
    assert "me@example.org, with the password from the environment" in first.output
    assert "chosen-by-the-operator" not in first.output
    assert sign_in(first, "me@example.org", "chosen-by-the-operator") == 200
    below = first.children()
    assert len(below) >= 5  # Postgres, API, worker, MCP, watchdog

    first.kill()

    assert wait_until(lambda: not any(find_process(pid) for pid in below))
    second = start_up("killed", has_terminal=True)
    second.wait_for(READY)
    assert "(shown once)" not in second.output
    assert read_json(second.output)["mcpServers"]["lectern"]["headers"] == headers_of(first)
    assert bearer_of(first) not in first.output
    below = second.children()

    assert second.stop() == 0  # Ctrl-C

    assert [pid for pid in below if find_process(pid)] == []
    assert "lectern: stopped" in second.output


def headers_of(up: Up) -> dict[str, str]:
    """Return the headers that the snippet configures for an MCP client."""
    return up.mcp_client["mcpServers"]["lectern"]["headers"]


def bearer_of(up: Up) -> str:
    return headers_of(up)["Authorization"].removeprefix("Bearer ")


def test_only_a_terminal_shows_secrets(installation: Up, start_up: StartUp) -> None:
    terminal = start_up("terminal", has_terminal=True)
    terminal.wait_for(READY)
    shown = re.search(r"Sign-in +(\S+) +(\S+) +\(shown once\)", terminal.output)

    assert shown is not None, terminal.output
    assert sign_in(terminal, shown[1], shown[2]) == 200
    assert call_mcp(read_json(terminal.output)) == 200
    assert not list(terminal.data.glob("*.txt"))
    assert installation.first_sign_in[1] not in installation.output
    assert bearer_of(installation) not in installation.output


def test_port_in_use_is_reported_with_its_process(data_home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        run = lectern("up", "--data-dir", str(data_home / "port"), "--port", str(port))

    assert run.returncode == 1
    assert run.stderr.startswith(f"lectern: Port {port} is in use by process {os.getpid()} (")
    assert "--port" in run.stderr
    assert run.stderr.count("\n") == 1


def test_an_address_of_another_machine_is_not_called_a_port_in_use(data_home: Path) -> None:
    port = free_port()
    for host in ("203.0.113.9", "300.1.1.1"):
        start = ("up", "--data-dir", str(data_home / "address"), "--port", str(port))
        run = lectern(*start, environment={"LECTERN_HOST": host})

        assert run.returncode == 1
        assert run.stderr.startswith(f"lectern: Port {port} of {host} cannot be used: ")
        assert "Set LECTERN_HOST to an address of this machine" in run.stderr


def test_the_api_and_the_mcp_service_need_two_ports(data_home: Path) -> None:
    port = str(free_port())
    run = lectern("up", "--data-dir", str(data_home / "one-port"), "--port", port, "--mcp-port", port)

    assert run.returncode == 1
    assert run.stderr.startswith(f"lectern: The API and the MCP service cannot both use port {port}. ")


def test_data_folder_in_use_is_reported_with_its_process(installation: Up) -> None:
    ports = ("--port", str(free_port()), "--mcp-port", str(free_port()))
    run = lectern("up", "--data-dir", str(installation.data), *ports)

    assert run.returncode == 1
    assert f"{installation.data} is in use by process {installation.process.pid}" in run.stderr
    assert "--data-dir" in run.stderr


def test_missing_postgres_is_reported_in_one_line(data_home: Path, tmp_path: Path) -> None:
    nothing, missing = str(data_home / "none"), {"LECTERN_POSTGRES_BIN_DIR": str(tmp_path)}
    run = lectern("doctor", "--data-dir", nothing, environment=missing)
    start = lectern("migrate", "--data-dir", nothing, environment=missing)

    assert run.returncode == 1
    assert f"There is no `postgres` in {tmp_path}." in run.stdout
    assert start.returncode == 1
    assert start.stderr.startswith(f"lectern: There is no `postgres` in {tmp_path}.")
    assert start.stderr.count("\n") == 1


def test_doctor_explains_an_unreachable_database_and_other_findings(data_home: Path, tmp_path: Path) -> None:
    """The library exists, but the programs to run its database are missing."""
    database = data_home / "unrunnable" / "postgres"
    database.mkdir(parents=True)
    (database / "PG_VERSION").write_text("18")

    run = lectern(
        "doctor", "--json", "--data-dir", str(database.parent), environment={"LECTERN_POSTGRES_BIN_DIR": str(tmp_path)}
    )

    assert run.returncode == 1, run.stderr
    found = {finding["subject"]: finding for finding in json.loads(run.stdout)}
    assert found["library"]["verdict"] == "bad"
    assert found["library"]["detail"].startswith(f"There is no `postgres` in {tmp_path}.")
    assert found["disk"]["verdict"] == "good"


def test_files_in_the_data_folder_are_readable_by_the_owner_only(installation: Up, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Note\n\nThe safe is behind the painting.\n")
    taken = lectern("ingest", str(tmp_path / "note.md"), "--wait", "--data-dir", str(installation.data))
    assert taken.returncode == 0, taken.stderr
    uploaded = upload(installation, "second.md", b"# Second\n\nThe key is under the mat.\n")
    originals = [path for path in (installation.data / "originals").rglob("*") if path.is_file()]
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in installation.data.rglob("*")}

    assert uploaded == 202
    assert len(originals) >= 2
    assert [path for path, mode in modes.items() if mode & 0o077 and not of_postgres(path, installation)] == []
    assert stat.S_IMODE(installation.data.stat().st_mode) & 0o066 == 0
    assert (installation.data / "postgres").stat().st_mode & 0o077 == 0


def of_postgres(path: Path, up: Up) -> bool:
    """Its programs are public, and it protects its own files."""
    return path.relative_to(up.data).parts[0] in {"postgres", "binaries", "run"}


def upload(up: Up, filename: str, content: bytes) -> int:
    """Upload a file to the running API with a new key, and return the status."""
    created = lectern("keys", "create", "uploads", "--write", "--data-dir", str(up.data))
    assert created.returncode == 0, created.stderr
    form = b'--x\r\nContent-Disposition: form-data; name="files"; filename="%s"\r\n\r\n%s\r\n--x--\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=x", "Authorization": f"Bearer {created.stdout.strip()}"}
    url = f"http://127.0.0.1:{up.port}/api/v1/documents"
    return status_of(urllib.request.Request(url, form % (filename.encode(), content), headers))


@pytest.mark.skipif(os.getuid() != 0, reason="needs root: becomes another account")
def test_another_account_cannot_open_the_data_folder(installation: Up) -> None:
    script = "import os, sys; os.setgroups([]); os.setgid(12345); os.setuid(12345); os.open(sys.argv[1], os.O_RDONLY)"
    for name in ("", "originals", "postgres", "models", "secrets.json"):
        run = subprocess.run(
            [sys.executable, "-c", script, str(installation.data / name)], capture_output=True, text=True, check=False
        )
        if (installation.data / name).exists():
            assert "PermissionError" in run.stderr, name


def test_doctor_counts_and_closes_open_files(data_home: Path) -> None:
    data = data_home / "old"
    original = data / "originals" / "originals" / "ab" / "cd" / "file"
    original.parent.mkdir(parents=True)
    original.write_text("from before")
    for path in (original, *original.parents[: len(original.relative_to(data).parts)]):
        path.chmod(0o755 if path.is_dir() else 0o644)
    (data / "models").symlink_to(data_home)

    before = permissions_of(data)
    repaired = permissions_of(data, "--fix")

    assert before["verdict"] == "bad"
    assert before["detail"].startswith("6 files and folders are open to other accounts, for example ")
    assert repaired["verdict"] == "good"
    assert stat.S_IMODE(original.stat().st_mode) == 0o600
    assert stat.S_IMODE(data.stat().st_mode) == 0o711
    assert stat.S_IMODE(data_home.stat().st_mode) == 0o711


def permissions_of(data: Path, *options: str) -> dict[str, str]:
    run = lectern("doctor", "--json", "--data-dir", str(data), *options)
    assert run.stdout, run.stderr
    return next(finding for finding in json.loads(run.stdout) if finding["subject"] == "permissions")


def test_secrets_are_readable_by_the_owner_only(installation: Up) -> None:
    assert stat.S_IMODE((installation.data / "secrets.json").stat().st_mode) == 0o600
    assert '"admin_password": null' in (installation.data / "secrets.json").read_text()
