"""Write logs as JSON or text, one line for each event, with the id of its request or job."""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

from lectern.settings import LoggingSettings

REQUEST_ID: ContextVar[str] = ContextVar("REQUEST_ID", default="")
"""The id of the current request or `job:<uuid>`. Empty outside of both."""
ACTOR: ContextVar[str] = ContextVar("ACTOR", default="")
"""The actor of the current request, as in the audit log. It is part of the keys of caches that actors could probe."""

# Attributes of every record. All others were passed as `extra` and are written.
_OWN_ATTRIBUTES: Final = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "taskName",
    "request_id",
    "color_message",  # uvicorn's second copy of the message
}


def _timestamp(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    return {name: value for name, value in vars(record).items() if name not in _OWN_ATTRIBUTES}


class JsonLogFormatter(logging.Formatter):
    """Format an event as one JSON object on one line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": _timestamp(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id := REQUEST_ID.get():
            line["request_id"] = request_id
        line |= _extras(record)
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class TextLogFormatter(logging.Formatter):
    """One readable line, followed by the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        parts = [_timestamp(record)[11:], f"{record.levelname:<7}", record.name, _one_line(record.getMessage())]
        parts += [f"{name}={_one_line(str(value))}" for name, value in _extras(record).items()]
        if request_id := REQUEST_ID.get():
            parts.append(f"request_id={request_id}")
        line = " ".join(parts)
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _one_line(value: str) -> str:
    """Escape line breaks, which could forge a second event."""
    return value.replace("\r", "\\r").replace("\n", "\\n")


def configure_logging(settings: LoggingSettings) -> None:
    """Send logs to standard error in the configured format. May be called again."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLogFormatter() if settings.format == "json" else TextLogFormatter())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.level)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).handlers = []
        logging.getLogger(name).propagate = name != "uvicorn.access"  # our access log has the request id
    for name in ("httpx", "httpx2", "httpcore", "multipart", "python_multipart"):
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
