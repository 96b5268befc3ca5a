"""ICS: the events of a calendar (RFC 5545), and of an invitation, as lines that a reader expects."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.formats.text import read_text
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

_KINDS: Final = {
    "REQUEST": "Invitation",
    "CANCEL": "Cancelled event",
    "REPLY": "Reply to an invitation",
    "COUNTER": "Proposal of another time",
    "DECLINECOUNTER": "Refusal of another time",
    "REFRESH": "Request for the current event",
    "ADD": "More dates of an event",
}
_COMPONENTS: Final = frozenset({"VEVENT", "VTODO", "VJOURNAL"})
_DATES: Final = frozenset({"DTSTART", "DTEND", "DUE", "RECURRENCE-ID"})
_ANSWERS: Final = frozenset({"ACCEPTED", "DECLINED", "TENTATIVE", "DELEGATED"})
_MAX_KNOWN_CHARACTERS: Final = 100_000
_FOLD: Final = re.compile(r"\n[ \t]")
_PROPERTY: Final = re.compile(r'([\w-]+)((?:;[\w-]+=(?:"[^"\n]*"|[^";:,\n]*)(?:,(?:"[^"\n]*"|[^";:,\n]*))*)*):(.*)')
_PARAMETER: Final = re.compile(r';([\w-]+)=("[^"]*"|[^;]*)')
_ESCAPED: Final = re.compile(r"\\([\\;,nN])")
_DURATION: Final = re.compile(r"\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?")
_MAIL: Final = re.compile(r"mailto:", re.IGNORECASE)


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass the events to `on_page`, in the order of the file. Each of several events is a section.

    A calendar without events is read as plain text.
    """
    del password
    text, note = read_text(path, limits)
    pages = PageBuilder(limits)
    events = describe_events(text, known_text="") or [[text]]
    for paragraphs in events:
        if len(events) > 1:
            subject, _, paragraphs[0] = paragraphs[0].partition("\n")
            pages.heading(subject, 1)
        for paragraph in paragraphs:
            pages.paragraph(paragraph)
    if note:
        pages.note(note)
    return DocumentMetadata(outline=pages.finish(on_page))


class _Property(NamedTuple):
    name: str
    parameters: dict[str, str]
    value: str

    @property
    def text(self) -> str:
        """Return the value without escapes."""
        return _ESCAPED.sub(lambda match: "\n" if match[1] in "nN" else match[1], self.value).strip()


_Event = list[_Property]


def describe_events(calendar: str, *, known_text: str) -> list[list[str]]:
    """Return the paragraphs of each event of a calendar: its lines, and its descriptions.

    A description that `known_text` has is left out: mail programs repeat it as the text of the message.
    """
    events: list[list[str]] = []
    known, described = _squeeze(known_text[:_MAX_KNOWN_CHARACTERS]), set[str]()
    for method, event in _events(calendar):
        paragraphs = ["\n".join(_lines(event, _KINDS.get(method, "Event")))]
        events.append(paragraphs)
        for description in _values(event, "DESCRIPTION"):
            words = _squeeze(description)
            if words not in known and words not in described:
                paragraphs.append(description)
                described.add(words)
    return events


def describe_period(start: datetime, end: datetime | None) -> str:
    """Return the time of an appointment whose start and end are in UTC."""
    dates = {"DTSTART": start, **({"DTEND": end} if end else {})}
    return _when({name: _Property(name, {}, f"{moment:%Y%m%dT%H%M%S}Z") for name, moment in dates.items()}, "")


def _events(calendar: str) -> Iterator[tuple[str, _Event]]:
    """Yield the method of the calendar and the properties of each event. Alarms are left out."""
    method = ""
    event: _Event = []
    open_components: list[str] = []
    for entry in _properties(calendar):
        component = entry.value.strip().upper()
        if entry.name == "BEGIN":
            open_components.append(component)
            method = "" if component == "VCALENDAR" else method
        elif entry.name == "METHOD":
            method = component
        elif entry.name == "END":
            del open_components[-1:]
            if component in _COMPONENTS and event:
                yield method, event
                event = []
        elif open_components and open_components[-1] in _COMPONENTS:
            event.append(entry)
    if event:  # the part ends within it
        yield method, event


def _properties(calendar: str) -> Iterator[_Property]:
    for line in _FOLD.sub("", calendar).split("\n"):
        match = _PROPERTY.fullmatch(line.strip())
        if match is not None:
            parameters = {key.upper(): value.strip('"') for key, value in _PARAMETER.findall(match[2])}
            yield _Property(match[1].upper(), parameters, match[3])


def _lines(event: _Event, kind: str) -> Iterator[str]:
    """Yield the lines of an event: what, when, where, who."""
    yield f"{kind}: {' '.join(' '.join(_values(event, 'SUMMARY')).split()) or '(no subject)'}"
    dates = {entry.name: entry for entry in event if entry.name in _DATES}
    yield from _line("When", _when(dates, next(iter(_values(event, "DURATION")), "")))
    yield from _line("Instead of", _moment(dates.get("RECURRENCE-ID")))
    yield from _line("Repeats", *_values(event, "RRULE"))
    yield from _line("Where", *_values(event, "LOCATION"))
    yield from _line("Organizer", *_people(event, "ORGANIZER"))
    yield from _line("Attendees", *_people(event, "ATTENDEE"))
    yield from _line("Status", *map(str.lower, _values(event, "STATUS")))
    yield from _line("Address", *_values(event, "URL"))
    yield from _line("Comment", *_values(event, "COMMENT"))


def _line(label: str, *values: str) -> Iterator[str]:
    text = ", ".join(" ".join(value.split()) for value in values)
    if text:
        yield f"{label}: {text}"


def _values(event: Iterable[_Property], name: str) -> list[str]:
    return [entry.text for entry in event if entry.name == name and entry.text]


def _people(event: _Event, name: str) -> list[str]:
    return list(dict.fromkeys(_person(entry) for entry in event if entry.name == name and entry.text))


def _person(entry: _Property) -> str:
    """Return name and address of a person, and the answer to the invitation."""
    name, address = entry.parameters.get("CN", "").strip(), _MAIL.sub("", entry.text)
    person = f"{name} <{address}>" if name and name != address else address
    answer = entry.parameters.get("PARTSTAT", "").upper()
    return f"{person} ({answer.lower()})" if answer in _ANSWERS else person


def _when(dates: dict[str, _Property], duration: str) -> str:
    """Return the start, the end and the time zone."""
    start, end = dates.get("DTSTART"), dates.get("DTEND") or dates.get("DUE")
    first, last = _time(start), _time(end)
    if first is None or start is None:
        return _moment(end)
    is_day = "T" not in start.value
    if last is None:
        last = _add(first, _length(duration) or timedelta(days=1 if is_day else 0))
    if is_day:
        last = _add(last, -timedelta(days=1))  # the end is the day after
        return _day(first) if last <= first else f"{_day(first)} to {_day(last)}"
    if last <= first:
        return _moment(start)
    until = f"{last:%H:%M}" if last.date() == first.date() else f"{_day(last)} {last:%H:%M}"
    zones = [_zone(start), _zone(end or start)]
    is_same = zones[0] == zones[1] or not zones[1]
    begin = f"{_day(first)} {first:%H:%M}{'' if is_same else zones[0]}"
    return f"{begin} to {until}{zones[0] if is_same else zones[1]}"


def _moment(entry: _Property | None) -> str:
    moment = _time(entry)
    if moment is None or entry is None:
        return ""
    return f"{_day(moment)} {moment:%H:%M}{_zone(entry)}" if "T" in entry.value else _day(moment)


def _day(moment: datetime) -> str:
    """Return the day as mail headers write it."""
    return f"{moment:%a, %d %b} {moment.year:04}"


def _zone(entry: _Property) -> str:
    zone = "UTC" if entry.value.strip().upper().endswith("Z") else entry.parameters.get("TZID", "").strip("/ ")
    return f" ({zone})" if zone else ""


def _time(entry: _Property | None) -> datetime | None:
    value = entry.value.strip().upper().removesuffix("Z") if entry else ""
    for pattern in ("%Y%m%dT%H%M%S", "%Y%m%dT%H%M", "%Y%m%d"):
        try:
            return datetime.strptime(value, pattern)  # noqa: DTZ007 - the zone is written beside it
        except ValueError:
            continue
    return None


def _add(moment: datetime, length: timedelta) -> datetime:
    try:
        return moment + length
    except OverflowError:
        return moment


def _length(duration: str) -> timedelta | None:
    match = _DURATION.fullmatch(duration.strip().upper())
    if match is None:
        return None
    weeks, days, hours, minutes, seconds = (int(number or 0) for number in match.groups())
    return timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)


def _squeeze(text: str) -> str:
    """Return the letters and digits only."""
    return "".join(filter(str.isalnum, text))
