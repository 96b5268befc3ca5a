"""Traces of tool calls over OTLP, if OTEL_EXPORTER_OTLP_ENDPOINT is set. OpenTelemetry's SDK is the extra `otel`.

No provider is registered globally: the SDK of MCP traces by itself, and its spans have texts of callers.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack

from opentelemetry import context, trace
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from lectern_mcp.settings import has_trace_endpoint

PROPAGATOR = TraceContextTextMapPropagator()
_CLOSING = ExitStack()
_providers: list[trace.TracerProvider] = [trace.NoOpTracerProvider()]


def start_tracing() -> None:
    """Export the spans of this process if an endpoint is set. Without the extra, the service does not start."""
    if not has_trace_endpoint():
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        message = "OTEL_EXPORTER_OTLP_ENDPOINT is set, but OpenTelemetry is not installed. Install lectern-mcp[otel]."
        raise SystemExit(f"lectern-mcp cannot start: {message}") from None
    provider = TracerProvider(resource=Resource.create({"service.name": "lectern-mcp"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    _CLOSING.callback(provider.shutdown)
    _providers.append(provider)


def continue_trace(headers: Mapping[str, str]) -> None:
    """Make the span of a client the parent of those of its request."""
    context.attach(PROPAGATOR.extract(headers))


def traced(name: str) -> AbstractContextManager[trace.Span]:
    """Trace the block. Its errors are not exported: they may have texts of callers."""
    tracer = _providers[-1].get_tracer("lectern_mcp")
    return tracer.start_as_current_span(
        name, kind=trace.SpanKind.SERVER, record_exception=False, set_status_on_exception=False
    )


def stop_tracing() -> None:
    """Export what is left. A signal that ends uvicorn leaves no time for it later."""
    _CLOSING.close()
