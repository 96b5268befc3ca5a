"""Calendars: their events as a reader expects them."""

from pathlib import Path

import pytest

from lectern.extraction.detection import detect_content_type
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits

CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VEVENT
SUMMARY:Fire drill
DTSTART;TZID=Europe/Rome:20260303T100000
DURATION:PT30M
LOCATION:Yard\\, north gate
DESCRIPTION:Bring the list.
BEGIN:VALARM
SUMMARY:Reminder
END:VALARM
END:VEVENT
BEGIN:VTODO
SUMMARY:Order blankets
DUE;VALUE=DATE:20260310
END:VTODO
END:VCALENDAR
"""
EVENTS = (
    "Event: Fire drill\nWhen: Tue, 03 Mar 2026 10:00 to 10:30 (Europe/Rome)\nWhere: Yard, north gate\n\n"
    "Bring the list.\n\n"
    "Event: Order blankets\nWhen: Tue, 10 Mar 2026"
)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (CALENDAR.encode(), EVENTS),
        (CALENDAR.replace("\n", "\r\n").encode("utf-16"), EVENTS),
        (b"see the other file", "see the other file"),
    ],
)
def test_events_of_a_calendar_are_read_in_order(tmp_path: Path, content: bytes, text: str) -> None:
    path = tmp_path / "drills.ics"
    path.write_bytes(content)
    content_type = detect_content_type(content, path.name)
    document = extract_document(path, content_type, limits=ExtractionLimits())
    assert (content_type, [page.text for page in document.pages]) == ("text/calendar", [text])
