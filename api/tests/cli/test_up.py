"""`lectern up`: one command starts everything, one key stops it, and nothing remains."""

import json
import os
import re
import signal
import socket
import stat
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from tests.cli.running import READY, StartUp, Up, lectern, read_json, status_of, wait_until

from lectern.embedded.host import find_process

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


def test_printed_addresses_and_credentials_work(installation: Up) -> None:
    sign_in_line = re.search(r"Sign-in\s+(\S+)\s+(\S+)\s+\(shown once\)", installation.output)
    assert sign_in_line is not None, installation.output
    snippet = read_json(installation.output)

    assert installation.get("/health") == 200
    assert installation.get("/docs") == 200
    assert sign_in(installation, sign_in_line[1], sign_in_line[2]) == 200
    assert sign_in(installation, sign_in_line[1], "not the password") == 401
    assert call_mcp(snippet) == 200
    assert call_mcp(snippet, key="lk_not_a_key") == 401


def test_api_returns_the_mcp_address(installation: Up) -> None:
    sign_in_line = re.search(r"Sign-in\s+(\S+)\s+(\S+)\s+\(shown once\)", installation.output)
    assert sign_in_line is not None, installation.output
    body = json.dumps({"email": sign_in_line[1], "password": sign_in_line[2]}).encode()
    headers = {"Content-Type": "application/json"}
    api = f"http://127.0.0.1:{installation.port}/api/v1"
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with browser.open(urllib.request.Request(f"{api}/auth/sign-in", body, headers), timeout=20):
        pass
    with browser.open(f"{api}/system/mcp-address", timeout=20) as answer:
        response = json.load(answer)

    assert response == {"url": read_json(installation.output)["mcpServers"]["lectern"]["url"]}


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
    second = start_up("killed")
    second.wait_for(READY)
    assert "(shown once)" not in second.output
    assert read_json(second.output)["mcpServers"]["lectern"]["headers"] == headers_of(first)
    below = second.children()

    assert second.stop() == 0  # Ctrl-C

    assert [pid for pid in below if find_process(pid)] == []
    assert "lectern: stopped" in second.output


def headers_of(up: Up) -> dict[str, str]:
    """Return the headers that the snippet configures for an MCP client."""
    return read_json(up.output)["mcpServers"]["lectern"]["headers"]


def test_port_in_use_is_reported_with_its_process(data_home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        run = lectern("up", "--data-dir", str(data_home / "port"), "--port", str(port))

    assert run.returncode == 1
    assert run.stderr.startswith(f"lectern: Port {port} is in use by process {os.getpid()} (")
    assert "--port" in run.stderr
    assert run.stderr.count("\n") == 1


def test_data_folder_in_use_is_reported_with_its_process(installation: Up) -> None:
    run = lectern("up", "--data-dir", str(installation.data), "--port", "0", "--mcp-port", "0")

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


def test_secrets_are_readable_by_the_owner_only(installation: Up) -> None:
    assert stat.S_IMODE((installation.data / "secrets.json").stat().st_mode) == 0o600
    assert '"admin_password": null' in (installation.data / "secrets.json").read_text()
