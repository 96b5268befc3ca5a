"""Logs of every process: one line for each event, as JSON or text, with the id of the request or job it belongs to."""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

from lectern.settings import LoggingSettings

REQUEST_ID: ContextVar[str] = ContextVar("REQUEST_ID", default="")
"""The id of the request (or `job:<uuid>`) being served; empty outside of one."""

# Attributes that every record has; whatever else is on one was given as `extra` and is written out.
_OWN_ATTRIBUTES: Final = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "taskName",
    "request_id",
    "color_message",  # uvicorn says everything twice
}


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    return {name: value for name, value in vars(record).items() if name not in _OWN_ATTRIBUTES}


class JsonFormatter(logging.Formatter):
    """One JSON object on one line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": _moment(record),
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


class TextFormatter(logging.Formatter):
    """One readable line; a traceback follows on its own lines."""

    def format(self, record: logging.LogRecord) -> str:
        parts = [_moment(record)[11:], f"{record.levelname:<7}", record.name, _one_line(record.getMessage())]
        parts += [f"{name}={_one_line(str(value))}" for name, value in _extras(record).items()]
        if request_id := REQUEST_ID.get():
            parts.append(f"request_id={request_id}")
        line = " ".join(parts)
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _one_line(value: str) -> str:
    """Line breaks in a value could forge a second event."""
    return value.replace("\r", "\\r").replace("\n", "\\n")


def configure_logging(settings: LoggingSettings) -> None:
    """Send the logs of this process to standard error in the configured shape; may be called again."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if settings.format == "json" else TextFormatter())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.level)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).handlers = []
        logging.getLogger(name).propagate = name != "uvicorn.access"  # our own access log has the request id
    for name in ("httpx", "httpx2", "httpcore", "multipart", "python_multipart"):
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
