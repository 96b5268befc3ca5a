"""Parts of an e-mail beside its text: invitations, reports, wrappers, forwarded messages. None vanishes."""

from base64 import b64encode
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits

Read = Callable[[bytes], ExtractedDocument]
HEAD = b"From: Ada <ada@example.org>\nTo: Bo\nSubject: Budget\nMIME-Version: 1.0\n"
EVENT = (
    "BEGIN:VEVENT",
    "UID:1",
    "SUMMARY:Budget\\, second",
    "  reading",
    'ORGANIZER;CN="Marsh, Ada":mailto:ada@example.org',
    "ATTENDEE;CN=Bo;PARTSTAT=ACCEPTED;RSVP=TRUE:MAILTO:bo@example.org",
    "ATTENDEE:mailto:cy@example.org",
    "DTSTART;TZID=Europe/Rome:20260303T100000",
    "DTEND;TZID=Europe/Rome:20260303T113000",
    "LOCATION:Room 4\\; north wing",
    "RRULE:FREQ=WEEKLY;COUNT=3",
    "DESCRIPTION:Bring the figures.\\nCoffee is there.",
    "BEGIN:VALARM",
    "DESCRIPTION:Reminder",
    "END:VALARM",
    "END:VEVENT",
)


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_bytes(content: bytes) -> ExtractedDocument:
        path = tmp_path / "made.eml"
        path.write_bytes(content)
        return extract_document(path, "message/rfc822", limits=ExtractionLimits())

    return read_bytes


def calendar(*event: str, method: str = "REQUEST") -> str:
    zone = ("BEGIN:VTIMEZONE", "TZID:Europe/Rome", "END:VTIMEZONE")
    return "\r\n".join(("BEGIN:VCALENDAR", f"METHOD:{method}", *zone, *event, "END:VCALENDAR", ""))


def invitation(body: str, events: str, *, html: str = "") -> bytes:
    made = EmailMessage()
    made["From"], made["Subject"] = "Ada <ada@example.org>", "Budget"
    made.set_content(body)
    if html:
        made.add_alternative(html, subtype="html")
    made.add_alternative(events, subtype="calendar", params={"method": "REQUEST"})
    return made.as_bytes()


def mixed(*parts: bytes, kind: bytes = b"mixed") -> bytes:
    inside = b"".join(b"--b\n" + part + b"\n" for part in parts)
    return HEAD + b"Content-Type: multipart/" + kind + b'; boundary="b"\n\n' + inside + b"--b--\n"


def test_invitation_says_what_when_where_and_who(read: Read) -> None:
    text = read(invitation("Please come.", calendar(*EVENT))).pages[0].text
    assert text.endswith(
        "Please come.\n\n"
        "Invitation: Budget, second reading\n"
        "When: Tue, 03 Mar 2026 10:00 to 11:30 (Europe/Rome)\n"
        "Repeats: FREQ=WEEKLY;COUNT=3\n"
        "Where: Room 4; north wing\n"
        "Organizer: Marsh, Ada <ada@example.org>\n"
        "Attendees: Bo <bo@example.org> (accepted), cy@example.org\n\n"
        "Bring the figures.\nCoffee is there."
    )
    assert "Reminder" not in text


def test_description_that_is_the_body_is_read_once(read: Read) -> None:
    plain = read(invitation("Bring the figures.\n\nCoffee is there.", calendar(*EVENT))).pages[0].text
    assert plain.count("Bring the figures") == 1
    made = EmailMessage()
    made["From"], made["Subject"] = "Ada", "Budget"
    made.set_content("<p>Bring the <b>figures</b>.<p>Coffee is there.", subtype="html")
    made.add_alternative(calendar(*EVENT), subtype="calendar")
    assert read(made.as_bytes()).pages[0].text.count("Bring the figures") == 1


@pytest.mark.parametrize(
    ("times", "when"),
    [
        (("DTSTART:20260303T100000Z", "DURATION:PT1H30M"), "Tue, 03 Mar 2026 10:00 to 11:30 (UTC)"),
        (("DTSTART:20260303T100000", "DTEND:20260304T010000"), "Tue, 03 Mar 2026 10:00 to Wed, 04 Mar 2026 01:00"),
        (("DTSTART:20260303T100000",), "Tue, 03 Mar 2026 10:00"),
        (("DTSTART;VALUE=DATE:20260303", "DTEND;VALUE=DATE:20260304"), "Tue, 03 Mar 2026"),
        (("DTSTART;VALUE=DATE:20260303", "DTEND;VALUE=DATE:20260306"), "Tue, 03 Mar 2026 to Thu, 05 Mar 2026"),
        (
            ("DTSTART;TZID=Europe/Rome:20260303T100000", "DTEND:20260303T120000Z"),
            "Tue, 03 Mar 2026 10:00 (Europe/Rome) to 12:00 (UTC)",
        ),
        (("DTSTART;VALUE=DATE:00010101", "DTEND;VALUE=DATE:00010101"), "Mon, 01 Jan 0001"),
        (("DTSTART:99991231T230000", "DURATION:P9999W"), "Fri, 31 Dec 9999 23:00"),
        (("DUE:20260303T100000Z",), "Tue, 03 Mar 2026 10:00 (UTC)"),
    ],
)
def test_time_of_an_event_has_its_end_and_zone(read: Read, times: tuple[str, ...], when: str) -> None:
    events = calendar("BEGIN:VEVENT", "SUMMARY:Call", *times, "END:VEVENT", method="CANCEL")
    assert read(invitation("x", events)).pages[0].text.endswith(f"Cancelled event: Call\nWhen: {when}")


def test_broken_calendar_is_read_as_far_as_it_goes(read: Read) -> None:
    events = "BEGIN:VCALENDAR\r\nEND:VTODO\r\nnot a property\r\nBEGIN:VEVENT\r\nDTSTART:soon\r\nSUMMARY:Call"
    assert read(invitation("x", events)).pages[0].text.endswith("Event: Call")
    nothing = read(invitation("x", calendar("BEGIN:VFREEBUSY", "SUMMARY:y", "END:VFREEBUSY"))).pages[0].text
    assert nothing.endswith("- unnamed (text/calendar)")


def test_hostile_calendar_ends_soon(read: Read) -> None:
    line = "ATTENDEE" + ";A=" + ",".join(["a"] * 20_000) + '"'
    events = calendar(*("BEGIN:VEVENT", line, "SUMMARY:x", "END:VEVENT") * 20, *["BEGIN:VEVENT"] * 20_000)
    assert read(invitation("x", events)).pages[0].text.count("Invitation: x") == 1


def test_calendar_file_is_listed_like_other_attachments(read: Read) -> None:
    made = EmailMessage()
    made["From"], made["Subject"] = "Ada", "Budget"
    made.set_content("See the file.")
    made.add_attachment(calendar(*EVENT), subtype="calendar", filename="invite.ics")
    text = read(made.as_bytes()).pages[0].text
    assert text.endswith("See the file.\n\nAttachments (listed, not read):\n\n- invite.ics (text/calendar)")


def test_delivery_report_is_read(read: Read) -> None:
    fields = b"Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; bo@x\nAction: failed"
    status = b"Content-Type: message/delivery-status\n\n" + fields
    original = b"Content-Type: text/rfc822-headers\n\nMessage-ID: <7@x>"
    report = mixed(b"Content-Type: text/plain\n\nIt failed.", status, original, kind=b"report")
    text = read(report).pages[0].text
    assert "It failed." in text
    assert "Final-Recipient: rfc822; bo@x\nAction: failed" in text
    assert "Message-ID: <7@x>" in text


def test_forwarded_message_is_a_page_also_in_base64(read: Read) -> None:
    inner = b"From: Cy\nSubject: Inner one\n\nDeep words"
    plain = b"Content-Type: message/rfc822\n\n" + inner
    encoded = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + b64encode(inner)
    for part in (plain, encoded):
        first, second = read(mixed(b"\nSee below.", part)).pages
        assert first.text.endswith("See below.")
        assert second.text == "Inner one\n\nFrom: Cy\n\nDeep words"
    outer, forwarded = read(HEAD + plain).pages
    assert "Deep words" not in outer.text
    assert forwarded.text.endswith("Deep words")


def test_messages_beyond_the_limit_are_counted(read: Read) -> None:
    document = read(mixed(*[b"Content-Type: message/rfc822\n\nSubject: Inner\n\nx"] * 210))
    assert len(document.pages) == 200
    assert document.pages[-1].note == "An attached message. Of 211 messages in it, the first 200 are read."


def test_other_kinds_of_text_are_read_as_plain_text(read: Read) -> None:
    enriched = b"Content-Type: text/enriched\n\n<bold>Now</bold> <color><param>red</param>3 << 4</color>"
    assert read(mixed(enriched)).pages[0].text.endswith("Now 3 < 4")
    both = mixed(b"\nPlain words", enriched, kind=b"alternative")
    assert read(both).pages[0].text.endswith("Plain words")
    assert read(HEAD + b"Content-Type: multipart/mixed\n\nWords").pages[0].text.endswith("Words")


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        ("pkcs7-mime; smime-type=enveloped-data", "encrypted"),
        ("pgp-encrypted", "encrypted"),
        ("ms-tnef", "winmail.dat"),
    ],
)
def test_wrapped_text_is_noted_and_listed(read: Read, kind: str, word: str) -> None:
    (page,) = read(mixed(f"Content-Type: application/{kind}\n\nVersion: 1".encode())).pages
    assert f"- unnamed (application/{kind.partition(';')[0]})" in page.text
    assert page.note is not None
    assert word in page.note


def test_unnamed_parts_are_listed_and_read_ones_are_not(read: Read) -> None:
    named = b'Content-Type: text/plain; name="notes.txt"\n\nInline words'
    text = read(mixed(named, b"Content-Type: image/png\n\nx", b"Content-Type: image/gif\n\n")).pages[0].text
    assert text.endswith("Inline words\n\nAttachments (listed, not read):\n\n- unnamed (image/png)")
