"""Traces of a running installation at a real OTLP receiver, and nothing in them that a user wrote."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from tests.cli.running import READY, StartUp, Up, lectern, wait_until

from lectern.errors import Misconfigured
from lectern.tracing import start_tracing

SECRET_WORDS = ("zanzibar", "quokka", "marmalade")  # in a document, in a question, in a filename
ATTRIBUTES = {
    "http.request.method", "http.route", "http.response.status_code", "error.type",
    "lectern.request_id", "lectern.job_id", "lectern.document_id",
}  # fmt: skip
TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"  # of the client
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}


class Collector:
    """An OTLP receiver: the bodies of the exports, and their spans by service."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    def spans(self) -> list[tuple[str, Span]]:
        found: list[tuple[str, Span]] = []
        for body in list(self.bodies):
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                names = {each.key: each.value.string_value for each in resource.resource.attributes}
                found += [(names["service.name"], span) for scope in resource.scope_spans for span in scope.spans]
        return found

    def find(self, service: str, name: str) -> list[Span]:
        return [span for of, span in self.spans() if (of, span.name) == (service, name)]

    def has_jobs(self, **counts: int) -> bool:
        return all(len(self.find("lectern-worker", f"job {lane}")) >= count for lane, count in counts.items())


@contextmanager
def collecting() -> Generator[tuple[Collector, str]]:
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collector.bodies.append(body)
            self.send_response(200 if self.path == "/v1/traces" else 404)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - the name is that of the base class
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield collector, f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def key_of(up: Up) -> str:
    made = lectern("keys", "create", "traced", "--write", "--data-dir", str(up.data))
    assert made.returncode == 0, made.stderr
    return made.stdout.strip()


def call_tool(up: Up, key: str, name: str, arguments: dict[str, Any]) -> str:
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json, text/event-stream"}
    headers["traceparent"] = f"00-{TRACE}-{PARENT}-01"
    body = {**CALL, "params": {"name": name, "arguments": arguments}}
    return httpx.post(f"http://127.0.0.1:{up.mcp_port}/mcp", json=body, headers=headers, timeout=60).text


def use(up: Up, key: str) -> None:
    """Upload a document, search it over MCP, list with a query, and call a tool and a document that are missing."""
    with httpx.Client(base_url=f"http://127.0.0.1:{up.port}/api/v1", headers={"Authorization": f"Bearer {key}"}) as api:
        text = f"# Log\n\nThe ship left {SECRET_WORDS[0]} at noon.\n".encode()
        added = api.post("/documents", files={"files": (f"{SECRET_WORDS[2]}.md", text)}, timeout=60)
        assert added.status_code == 202, added.text
        broken = api.post("/documents", files={"files": (f"{SECRET_WORDS[2]}.pdf", b"%PDF-1.7 broken")}, timeout=60)
        assert broken.status_code == 202, broken.text
        path = f"/documents/{added.json()['items'][0]['document']['id']}"
        assert wait_until(lambda: api.get(path).json()["status"] == "ready")
        assert api.get("/documents", params={"q": SECRET_WORDS[2]}).status_code == 200
        assert api.get("/documents/named", params={"name": SECRET_WORDS[1]}).status_code == 422
    assert SECRET_WORDS[0] in call_tool(up, key, "search", {"query": f"{SECRET_WORDS[0]} {SECRET_WORDS[1]}"})
    call_tool(up, key, SECRET_WORDS[1], {})
    call_tool(up, key, "get_outline", {"document": SECRET_WORDS[1]})


def test_requests_tool_calls_and_stages_are_traced_without_texts_or_keys(start_up: StartUp) -> None:
    with collecting() as (collector, endpoint):
        up = start_up("traced", environment={"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint})
        up.wait_for(READY)
        key = key_of(up)
        use(up, key)
        assert wait_until(lambda: collector.has_jobs(read=2, embed=1)), up.output
        assert up.stop() == 0, up.output

    [tool] = collector.find("lectern-mcp", "tools/call search")
    searches = collector.find("lectern-api", "POST /api/v1/search")
    assert [span.parent_span_id for span in searches if span.trace_id == tool.trace_id] == [tool.span_id]
    assert (tool.trace_id.hex(), tool.parent_span_id.hex()) == (TRACE, PARENT)
    assert {span.name for of, span in collector.spans() if of == "lectern-mcp"} == {
        "tools/call search",
        "tools/call get_outline",
    }
    assert not collector.find("lectern-api", "GET /health"), "probes are not traced"
    reads = {span.span_id: span for span in collector.find("lectern-worker", "job read")}
    assert len(reads) == 2
    assert {span.name for _, span in collector.spans() if span.parent_span_id in reads} == {"extract", "chunk", "index"}
    assert Status.STATUS_CODE_ERROR in {span.status.code for span in reads.values()}
    embeds = collector.find("lectern-worker", "job embed")
    assert embeds
    uploads = {span.span_id: span for span in collector.find("lectern-api", "POST /api/v1/documents")}
    for job in (*reads.values(), *embeds):
        [link] = job.links
        assert link.trace_id == uploads[link.span_id].trace_id != job.trace_id
        assert (job.kind, job.parent_span_id) == (Span.SPAN_KIND_CONSUMER, b"")
    exported = b"".join(collector.bodies)
    assert {each.key for _, span in collector.spans() for each in span.attributes} <= ATTRIBUTES
    assert not any(span.events or span.status.message for _, span in collector.spans())
    for word in (*SECRET_WORDS, key, str(up.data)):
        assert word.encode() not in exported, word


def test_the_last_spans_are_exported_before_a_process_ends() -> None:
    program = """
import os
from lectern.tracing import start_tracing, stop_tracing, traced

start_tracing("worker")
with traced("job read"):
    pass
stop_tracing()
os._exit(0)  # as if it were killed now
"""
    with collecting() as (collector, endpoint):
        environment = {**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": endpoint}
        subprocess.run([sys.executable, "-c", program], env=environment, timeout=60, check=True)
        assert collector.find("lectern-worker", "job read")


@pytest.mark.slow
def test_a_collector_that_is_missing_holds_nothing_up(start_up: StartUp) -> None:
    up = start_up("untraced", environment={"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"})
    up.wait_for(READY)
    began = time.monotonic()

    assert up.get("/health") == 200
    assert up.stop() == 0, up.output
    assert time.monotonic() - began < 30


def test_an_endpoint_without_the_extra_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)

    with pytest.raises(Misconfigured) as refused:
        start_tracing("api")

    assert "lectern[otel]" in str(refused.value.hint)
