"""The service as a process: its two entry points, its environment, its logs."""

import asyncio
import json
import socket
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from httpx import AsyncClient
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from fake_api import SERVICE_KEY, USER_KEY, FakeApi, hit
from harness import connecting, held
from process import COMMAND, environment, errors_of, running
from serving import serving


@pytest.fixture
async def api_url(api: FakeApi) -> AsyncGenerator[str]:
    async with held(serving(api.app())) as url:
        yield url


async def run(*arguments: str, **variables: str) -> tuple[int, str]:
    """Exit code and standard error of a start that ends by itself."""
    return await run_in(Path(), *arguments, **variables)


async def run_in(folder: Path, *arguments: str, **variables: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, *COMMAND, *arguments, cwd=folder, env=environment(**variables), stderr=asyncio.subprocess.PIPE
    )
    _, stderr = await asyncio.wait_for(process.communicate(), timeout=30)
    return process.returncode or 0, stderr.decode()


async def test_a_client_that_starts_the_service_speaks_over_its_standard_streams(
    api: FakeApi, api_url: str, tmp_path: Path
) -> None:
    api.hits = [hit(1, "A passage.")]
    parameters = StdioServerParameters(
        command=sys.executable,
        args=[*COMMAND, "--stdio"],
        env=environment(LECTERN_API_URL=api_url, MCP_API_KEY=USER_KEY, BACKEND_API_KEY=""),
    )
    log = tmp_path / "log"
    with log.open("w") as errors:
        async with Client(stdio_client(parameters, errlog=errors)) as client:
            assert len((await client.list_tools()).tools) == 5
            result = await client.call_tool("search", {"query": "x"})
            assert result.structured_content["data"][0]["text"] == "<passage>\nA passage.</passage>"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    (line,) = [line for line in lines if line["message"] == "Tool called"]
    assert line["tool"] == "search"
    assert line["request_id"] == api.calls[0].headers["x-request-id"]
    assert len(line["request_id"]) == 32
    assert {seen.headers["authorization"] for seen in api.seen} == {f"Bearer {USER_KEY}"}
    assert not any("x-lectern-principal" in seen.headers for seen in api.seen)


async def test_a_wrong_key_over_stdio_is_told_at_the_first_call_and_not_by_a_dead_process(api_url: str) -> None:
    variables = environment(LECTERN_API_URL=api_url, MCP_API_KEY="lk_wrong-0123456789abcdef0123456789abcdef")
    parameters = StdioServerParameters(command=sys.executable, args=[*COMMAND, "--stdio"], env=variables)
    async with Client(stdio_client(parameters)) as client:
        with pytest.raises(Exception, match="Unknown, revoked or expired key"):
            await client.list_tools()


async def test_two_workers_serve_one_port_and_end_together(api: FakeApi, api_url: str, unused_tcp_port: int) -> None:
    api.hits = [hit(1, "A passage.")]
    variables = {"MCP_WORKERS": "2", "LECTERN_API_URL": api_url, "MCP_RATE_LIMIT_PER_MINUTE": "0"}
    async with running(unused_tcp_port, **variables) as process:
        for mode in ("legacy", "auto") * 5:
            async with connecting(f"http://127.0.0.1:{unused_tcp_port}", mode=mode) as client:
                result = await client.call_tool("search", {"query": "x"})
                assert result.structured_content["data"][0]["text"] == "<passage>\nA passage.</passage>"
        async with AsyncClient() as http:
            metrics = (await http.get(f"http://127.0.0.1:{unused_tcp_port}/metrics")).text
        assert 'lectern_mcp_tool_seconds_count{outcome="ok",tool="search"} 10.0' in metrics, "of both workers"
    assert process.returncode == 0
    assert len(api.calls) == 10


async def test_every_line_of_the_log_is_json_and_holds_no_key(api_url: str, unused_tcp_port: int) -> None:
    variables = {"LECTERN_API_URL": api_url, "LECTERN_LOG_LEVEL": "DEBUG"}
    async with running(unused_tcp_port, **variables) as process:
        async with connecting(f"http://127.0.0.1:{unused_tcp_port}") as client:
            await client.call_tool("search", {"query": "x"})
        reading = asyncio.create_task(errors_of(process))
    lines = [json.loads(line) for line in (await reading).splitlines()]
    assert {"Request", "Tool called"} <= {line["message"] for line in lines}
    assert all({"time", "level", "logger", "request_id"} <= set(line) for line in lines)
    assert USER_KEY not in str(lines)
    assert SERVICE_KEY not in str(lines)


@pytest.mark.parametrize(
    ("variables", "names"),
    [
        ({"BACKEND_API_KEY": ""}, ["BACKEND_API_KEY"]),
        ({"BACKEND_API_KEY": "too-short"}, ["BACKEND_API_KEY"]),
        ({"MCP_PORT": "x", "MCP_TOOLSETS": '["nope"]'}, ["MCP_PORT", "MCP_TOOLSETS"]),
        ({"MCP_TOOLSETS": "[]"}, ["MCP_TOOLSETS"]),
        ({"MCP_TOOLSETS": "search"}, ["toolsets"]),
        ({"LECTERN_API_URL": "too-short"}, ["LECTERN_API_URL", "write it as https://lectern.example.com"]),
        ({"LECTERN_API_URL": "http://api:eighty"}, ["LECTERN_API_URL"]),
        ({"LECTERN_PUBLIC_URL": "http://[too-short"}, ["LECTERN_PUBLIC_URL"]),
    ],
)
async def test_a_wrong_environment_is_one_loud_line_that_names_the_variable(
    variables: dict[str, str], names: list[str]
) -> None:
    code, stderr = await run(**variables)
    assert code == 1
    assert len(stderr.splitlines()) == 1
    assert all(name in stderr for name in names)
    assert "too-short" not in stderr


async def test_an_unreadable_env_file_is_one_loud_line_that_names_it(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"MCP_API_KEY=\xff")
    code, stderr = await run_in(tmp_path)
    assert code == 1
    assert stderr.startswith(f"lectern-mcp cannot start: the file {tmp_path}/.env cannot be read")
    assert len(stderr.splitlines()) == 1


async def test_stdio_without_a_key_is_one_loud_line() -> None:
    code, stderr = await run("--stdio")
    assert (code, stderr) == (1, "lectern-mcp cannot start: MCP_API_KEY is missing, the caller's key over stdio.\n")


async def test_a_port_in_use_is_said_and_ends_the_process(unused_tcp_port: int) -> None:
    with socket.create_server(("127.0.0.1", unused_tcp_port)):
        code, stderr = await run(MCP_PORT=str(unused_tcp_port))
    assert code > 0
    assert "address already in use" in stderr
    assert str(unused_tcp_port) in stderr


async def test_a_connection_stays_open_longer_than_clients_reuse_it(unused_tcp_port: int) -> None:
    request = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    async with running(unused_tcp_port):
        reader, writer = await asyncio.open_connection("127.0.0.1", unused_tcp_port)
        for seconds in (6, 0):  # httpx forgets an idle connection after 5
            writer.write(request)
            assert (await reader.readuntil(b"}")).startswith(b"HTTP/1.1 200")
            await asyncio.sleep(seconds)
        writer.close()
        await writer.wait_closed()


async def test_process_1_of_a_container_can_be_stopped_while_it_loads() -> None:
    code = (
        "import os, runpy, signal, sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, *_):\n"
        "        name == 'lectern_mcp.main' and os.kill(os.getpid(), signal.SIGTERM)\n"
        "sys.meta_path.insert(0, Stop())\n"
        "runpy.run_module('lectern_mcp', run_name='__main__')"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, env=environment())
    assert await asyncio.wait_for(process.wait(), timeout=30) == 143


async def test_nothing_that_is_loaded_is_searched_for_garbage() -> None:
    code = (
        "import gc\n"
        "from lectern_mcp.main import create_service\n"
        "from lectern_mcp.settings import load_settings\n"
        "settings = load_settings()\n"
        "searches = []\n"
        "gc.callbacks.append(lambda phase, info: searches.append(info))\n"
        "before = gc.get_freeze_count()\n"
        "create_service(settings)\n"
        "assert not searches\n"
        "assert gc.isenabled()\n"
        "assert gc.get_freeze_count() > before + 10_000\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, env=environment())
    assert await asyncio.wait_for(process.wait(), timeout=30) == 0
