"""A log event is one line with the id of its request. Values cannot forge events."""

import json
import logging

import pytest

from lectern.logs import REQUEST_ID, JsonLogFormatter, TextLogFormatter


def record(message: str, **extra: object) -> logging.LogRecord:
    made = logging.LogRecord("room", logging.INFO, __file__, 1, message, (), None)
    vars(made).update(extra)
    return made


@pytest.mark.parametrize("formatter", [JsonLogFormatter(), TextLogFormatter()])
def test_line_breaks_cannot_forge_a_second_event(formatter: logging.Formatter) -> None:
    line = formatter.format(record("one\ntwo", path="/a\r\nb"))
    assert "\n" not in line
    assert "\r" not in line


def test_a_json_line_has_what_was_given_and_the_request() -> None:
    token = REQUEST_ID.set("r1")
    line = json.loads(JsonLogFormatter().format(record("done", pages=3)))
    REQUEST_ID.reset(token)
    assert (line["message"], line["pages"], line["request_id"], line["level"]) == ("done", 3, "r1", "INFO")
    assert line["at"].endswith("Z")


def test_a_traceback_follows_in_text_and_stays_inside_in_json() -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        divmod(1, 0)
    failed = record("failed", exc_info=(raised.type, raised.value, raised.tb))
    assert "ZeroDivisionError" in json.loads(JsonLogFormatter().format(failed))["exception"]
    assert TextLogFormatter().format(failed).count("\n") > 1
