"""Calendars: their events as a reader expects them."""

from pathlib import Path

import pytest

from lectern.chunking.chunker import chunk_document
from lectern.chunking.types import ChunkingOptions
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
    "Event: Fire drill\n\nWhen: Tue, 03 Mar 2026 10:00 to 10:30 (Europe/Rome)\nWhere: Yard, north gate\n\n"
    "Bring the list.\n\n"
    "Event: Order blankets\n\nWhen: Tue, 10 Mar 2026"
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


def test_each_of_several_events_has_a_heading_and_a_chunk(tmp_path: Path) -> None:
    path = tmp_path / "drills.ics"
    long = f"DESCRIPTION:{'Bring the list of everybody who works in the yard. ' * 3}"
    path.write_text(CALENDAR.replace("DESCRIPTION:Bring the list.", long).replace("END:VTODO", f"{long}1\nEND:VTODO"))
    document = extract_document(path, "text/calendar", limits=ExtractionLimits())
    chunks = chunk_document(document, options=ChunkingOptions()).chunks
    assert [entry.title for entry in document.metadata.outline] == ["Event: Fire drill", "Event: Order blankets"]
    assert [chunk.text.splitlines()[0] for chunk in chunks] == ["Event: Fire drill", "Event: Order blankets"]


def test_a_single_event_is_no_section(tmp_path: Path) -> None:
    path = tmp_path / "call.ics"
    path.write_text("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Call\nDTSTART:20260303\nEND:VEVENT\nEND:VCALENDAR\n")
    document = extract_document(path, "text/calendar", limits=ExtractionLimits())
    assert (document.pages[0].text, document.metadata.outline) == ("Event: Call\nWhen: Tue, 03 Mar 2026", ())
