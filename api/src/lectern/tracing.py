"""Traces of requests and jobs over OTLP, if OTEL_EXPORTER_OTLP_ENDPOINT is set. OpenTelemetry is the extra `otel`.

The tracer is not registered globally: libraries that trace by themselves would export texts and errors of users.
"""

from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import INVALID_SPAN, Link, Span, SpanContext, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from lectern.errors import Misconfigured
from lectern.settings import process_environment

ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
SERVER_ERROR: Final = 500
_PROPAGATOR: Final = TraceContextTextMapPropagator()
_CLOSING: Final = ExitStack()


class _Tracing:
    tracer: trace.Tracer = trace.NoOpTracer()
    is_on = False


def start_tracing(service: str) -> None:
    """Export the spans of this process if an endpoint is set. Raises Misconfigured if the extra is missing."""
    environment = process_environment()
    if not any(environment.get(name) for name in ENDPOINTS):
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise Misconfigured(
            f"{ENDPOINTS[0]} is set, but OpenTelemetry is not installed.",
            hint="Install lectern[otel], or unset the variable.",
        ) from error
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: f"lectern-{service}"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    _Tracing.tracer, _Tracing.is_on = provider.get_tracer("lectern"), True
    _CLOSING.callback(provider.shutdown)


def stop_tracing() -> None:
    """Export the last spans. A process that waits for its interpreter to do so may be killed before."""
    _CLOSING.close()


def current_traceparent() -> str | None:
    """Return the current span in the form of the header `traceparent`, to be kept with a job."""
    carrier: dict[str, str] = {}
    _PROPAGATOR.inject(carrier)
    return carrier.get("traceparent")


@contextmanager
def traced(
    name: str,
    attributes: Mapping[str, str] | None = None,
    *,
    caller: Mapping[str, str] | None = None,
    cause: str | None = None,
) -> Generator[Span]:
    """Trace the block.

    `caller` has the headers of a request, which may name the span of its client. `cause` is the `traceparent` of the
    request that queued a job. A job starts a trace of its own with a link to it, because it may run long after, and
    several times.
    """
    if not _Tracing.is_on:
        yield INVALID_SPAN
        return
    kind, parent = (SpanKind.INTERNAL, None) if caller is None else (SpanKind.SERVER, _PROPAGATOR.extract(caller))
    links = [] if cause is None else [Link(_span_context(cause))]
    with _Tracing.tracer.start_as_current_span(
        name,
        kind=kind if cause is None else SpanKind.CONSUMER,
        context=parent,
        attributes=attributes,
        links=links,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield span
        except BaseException as error:
            span.set_attribute("error.type", type(error).__name__)  # its text may quote a document
            span.set_status(StatusCode.ERROR)
            raise


def _span_context(traceparent: str) -> SpanContext:
    return trace.get_current_span(_PROPAGATOR.extract({"traceparent": traceparent}, Context())).get_span_context()


def describe_request(span: Span, *, method: str, route: str, status: int, request_id: str) -> None:
    """Name the span of a request by its route. The path and the query are not exported."""
    span.update_name(f"{method} {route}")
    attributes = {"http.request.method": method, "http.route": route, "http.response.status_code": status}
    span.set_attributes({**attributes, "lectern.request_id": request_id})
    if status >= SERVER_ERROR:
        span.set_status(StatusCode.ERROR)
