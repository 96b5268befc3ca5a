"""Extraction in a child process: bounded, cancellable, without secrets, never orphaned."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pypdf
import pytest
from tests.extraction.pdf_writer import Pdf, assemble

from lectern.extraction.errors import Corrupt, EmptyFile, Encrypted, FileTooLarge, TimedOut, UnsupportedFile
from lectern.extraction.registry import assemble as assemble_document
from lectern.extraction.registry import extract_document
from lectern.extraction.sandbox import codec
from lectern.extraction.sandbox.extraction import extract_in_child
from lectern.extraction.sandbox.process import kill_process
from lectern.extraction.types import DocumentMetadata, ExtractedDocument, ExtractionLimits, PageImageStatus

LIMITS = ExtractionLimits()


def children_of(pid: int) -> list[int]:
    """Return the running child processes of a process."""
    found: list[int] = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(status.parent.name))
    return found


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds; fail after ten seconds."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - what is waited for happens in other processes
            await asyncio.sleep(0.01)


def environment_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


def limits_of(pid: int) -> dict[str, str]:
    """Return the hard limits of a process by name."""
    lines = Path(f"/proc/{pid}/limits").read_text().splitlines()
    return {line[:26].strip(): line[26:].split()[1] for line in lines[1:]}


def is_confined(pid: int) -> bool:
    """Return true if a child has set its limits. This is its last step, after the parent-death signal."""
    return limits_of(pid)["Max open files"] == "64"


@pytest.fixture
def stuck(tmp_path: Path) -> Path:
    """A text file that never ends: a pipe without a writer."""
    path = tmp_path / "stuck.txt"
    os.mkfifo(path)
    return path


def report() -> Pdf:
    pdf = Pdf(outline=[("Fees", 2)], information={"Title": "The yearly report"})
    pdf.page().lines(60, 700, "Of the first page", "two lines.")
    pdf.page().text(60, 760, "Fees", size=20, bold=True).text(60, 700, "Twelve euro.")
    pdf.page()
    return pdf


@pytest.mark.parametrize(
    ("content_type", "content"),
    [
        ("application/pdf", report().render()),
        ("text/plain", "perché\fno: \u2028 \U0001f600".encode()),
        ("text/markdown", b"---\ntitle: A plan\nlang: en\n---\n# One\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"),
    ],
)
async def test_child_reads_like_this_process(tmp_path: Path, content_type: str, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert await extract_in_child(path, content_type, limits=LIMITS) == extract_document(
        path, content_type, limits=LIMITS
    )


async def test_progress_is_reported_up_to_the_last_page(tmp_path: Path) -> None:
    progress: list[tuple[int, int]] = []

    async def on_progress(page_number: int, page_count: int) -> None:
        progress.append((page_number, page_count))

    await extract_in_child(
        report().write(tmp_path / "r.pdf"), "application/pdf", limits=LIMITS, on_progress=on_progress
    )
    assert progress[-1] == (3, 3)
    assert progress == sorted(progress)


async def test_typed_failure_is_passed_to_the_parent(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\n%%EOF")
    with pytest.raises(Corrupt):
        await extract_in_child(broken, "application/pdf", limits=LIMITS)
    blank = Pdf()
    blank.page()
    with pytest.raises(EmptyFile, match=r"^Every page of the file is blank\.$") as caught:
        await extract_in_child(blank.write(tmp_path / "blank.pdf"), "application/pdf", limits=LIMITS)
    assert [page["kind"] for page in caught.value.details["pages"]] == ["empty"]
    with pytest.raises(UnsupportedFile):
        await extract_in_child(broken, "application/zip", limits=LIMITS)
    with pytest.raises(FileTooLarge, match="3 pages; the limit is 2") as too_large:
        await extract_in_child(
            report().write(tmp_path / "r.pdf"), "application/pdf", limits=ExtractionLimits(max_pages=2)
        )
    assert too_large.value.values == {"page_count": 3, "max_pages": 2}


def frame(kind: bytes, head: str | bytes, body: bytes = b"") -> codec.Frame:
    return codec.Frame(kind, head.encode() if isinstance(head, str) else head, body)


def test_failure_of_a_hijacked_child_has_only_declared_numbers() -> None:
    sent = FileTooLarge("Too large.", details={"max_pages": 2, "page_count": "<b>many</b>", "secret": 7, "pages": [1]})
    (received,) = codec.split_frames(codec.pack_failure(sent))
    assert codec.unpack_failure(received).details == {"max_pages": 2}
    undeclared = frame(codec.FAILURE, '["too_large","m",null,[["secret",7],["max_pages",2]]]')
    assert codec.unpack_failure(undeclared).details == {"max_pages": 2}
    huge = "9" * 400  # too large for a float
    for wrong in (
        "[1]",
        '[["max_pages",NaN]]',
        '[["max_pages",-Infinity]]',
        f'[["max_pages",{huge}]]',
        '[["max_pages","x"]]',
    ):
        with pytest.raises(codec.MALFORMED):
            codec.unpack_failure(frame(codec.FAILURE, f'["too_large","m",null,{wrong}]'))
    with pytest.raises(ValueError, match="no failure of a file"):
        codec.unpack_failure(frame(codec.FAILURE, '["other","m",null,[]]'))


GOOD_PAGE = '[[1,"text","",0,0,0,[],null,false,[],null,[]],1]'


@pytest.mark.parametrize(
    "wrong",
    [
        "{}",
        "[" * 100_000,
        GOOD_PAGE.replace("[[1", "[[Infinity"),
        GOOD_PAGE.replace('"text"', '"other"'),
        GOOD_PAGE.replace('"",0', '"",1' + "0" * 400),
        GOOD_PAGE.replace("],1]", "],true]"),
        GOOD_PAGE.replace("[],null,false", '[[0,0,0,false,0,0,0,0,0,0,"other"]],null,false'),
        GOOD_PAGE.replace("[],null,false", '[["0",null,"x",false,0,0,1,1,1,0,"plain"]],null,false'),
        GOOD_PAGE.replace("false,[]", 'false,[[0,0,0,0,Infinity,0,"","",0]]'),
        GOOD_PAGE.replace("false,[]", 'false,[[0,0,0,0,1,0,"","part"]]'),
        GOOD_PAGE.replace("null,[]]", '"high",[]]'),
        GOOD_PAGE.replace("[]]", '[["text","sure"]]]'),
        GOOD_PAGE.replace("0,0,0,", "0,0,-1,"),
        GOOD_PAGE.replace("0,0,0,", "0,0,5,"),
    ],
)
def test_malformed_page_of_a_hijacked_child_is_rejected(wrong: str) -> None:
    frame(codec.PAGE, GOOD_PAGE).decode(codec.PageOfDocument)
    with pytest.raises(codec.MALFORMED):
        frame(codec.PAGE, wrong).decode(codec.PageOfDocument)


def test_malformed_metadata_and_bytes_are_rejected() -> None:
    good = '[null,null,[],[],"none",""]'
    assert frame(codec.METADATA, good).decode(DocumentMetadata) == DocumentMetadata()
    for wrong in (good.replace("null,null", "{},null"), good.replace("[],[]", '["ab"],[]'), good.replace("none", "x")):
        with pytest.raises(codec.MALFORMED):
            frame(codec.METADATA, wrong).decode(DocumentMetadata)
    with pytest.raises(codec.MALFORMED):
        frame(codec.METADATA, good, b"more").decode(DocumentMetadata)


def test_parent_does_not_unpack_word_boxes_of_a_hijacked_child() -> None:
    page, _ = frame(codec.PAGE, GOOD_PAGE.replace("0,0,0,", "0,0,8,").replace('""', '"words"'), b"no boxes").decode(
        codec.PageOfDocument
    )
    assert assemble_document("image/png", [page], DocumentMetadata()).pages == (page,)


async def test_password_reaches_the_child_but_not_the_process_list(tmp_path: Path) -> None:
    writer = pypdf.PdfWriter(clone_from=report().write(tmp_path / "open.pdf"))
    writer.encrypt("open sesame", algorithm="AES-256")
    path = tmp_path / "protected.pdf"
    writer.write(path)
    with pytest.raises(Encrypted):
        await extract_in_child(path, "application/pdf", limits=LIMITS)
    opened = await extract_in_child(path, "application/pdf", limits=LIMITS, password="open sesame")
    assert (opened.metadata.title, opened.metadata.page_images) == ("The yearly report", PageImageStatus.LOCKED)


async def test_slow_file_times_out_and_its_child_ends(stuck: Path) -> None:
    before = set(children_of(os.getpid()))
    started = time.monotonic()
    with pytest.raises(TimedOut, match="longer than 1 seconds") as caught:
        await extract_in_child(stuck, "text/plain", limits=ExtractionLimits(max_seconds=1))
    assert time.monotonic() - started < 5
    assert caught.value.values == {"max_seconds": 1}
    assert set(children_of(os.getpid())) <= before


async def start_and_find_child(path: Path) -> tuple[asyncio.Task[ExtractedDocument], int]:
    before = set(children_of(os.getpid()))
    task = asyncio.create_task(extract_in_child(path, "text/plain", limits=LIMITS))
    await until(lambda: bool(set(children_of(os.getpid())) - before))
    (child,) = set(children_of(os.getpid())) - before
    return task, child


async def test_cancelled_call_ends_the_child(stuck: Path) -> None:
    task, child = await start_and_find_child(stuck)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert child not in children_of(os.getpid())


async def test_result_of_a_child_that_ends_during_the_kill_is_not_lost(caplog: pytest.LogCaptureFixture) -> None:
    codes: set[int | None] = set()
    for _ in range(60):
        process = await asyncio.create_subprocess_exec("true", stdout=asyncio.subprocess.PIPE)
        assert process.stdout is not None
        await process.stdout.read()
        await kill_process(process)
        codes.add(process.returncode)
    assert codes <= {0, -signal.SIGKILL}
    assert "Unknown child process" not in caplog.text


async def test_children_that_end_together_do_not_disturb_each_other() -> None:
    async def run_to_the_end() -> None:
        process = await asyncio.create_subprocess_exec("true", stdout=asyncio.subprocess.PIPE, start_new_session=True)
        assert process.stdout is not None
        await process.stdout.read()
        await kill_process(process)

    # On Python 3.11 a thread waits for each child. It ends while the children of all threads are listed.
    for _ in range(100):
        await asyncio.gather(*(run_to_the_end() for _ in range(4)))


@pytest.mark.parametrize("crash", [signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT])
async def test_crash_of_the_extractor_is_a_damaged_file(stuck: Path, crash: signal.Signals) -> None:
    task, child = await start_and_find_child(stuck)
    await until(lambda: b"extraction_child" in Path(f"/proc/{child}/cmdline").read_bytes())
    os.kill(child, crash)
    with pytest.raises(Corrupt, match="crashed on page 1"):
        await task


async def test_child_has_no_environment_and_is_confined(stuck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JWT_SECRET_KEY", "a secret of the parent")
    task, child = await start_and_find_child(stuck)
    await until(lambda: is_confined(child))
    environment, found = environment_of(child), limits_of(child)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert b"secret" not in environment
    assert found["Max core file size"] == "0"
    assert found["Max file size"] == "0"
    assert found["Max cpu time"] == "61"


async def test_killed_parent_leaves_no_child(stuck: Path) -> None:
    code = (
        "import asyncio, sys; from pathlib import Path\n"
        "from lectern.extraction.sandbox.extraction import extract_in_child\n"
        "from lectern.extraction.types import ExtractionLimits\n"
        "asyncio.run(extract_in_child(Path(sys.argv[1]), 'text/plain', limits=ExtractionLimits()))\n"
    )
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, str(stuck), env={"PYTHONPATH": os.pathsep.join(sys.path)}
    )
    await until(lambda: bool(children_of(parent.pid)))
    (child,) = children_of(parent.pid)
    await until(lambda: is_confined(child))
    parent.kill()
    await parent.wait()
    await until(lambda: is_gone(child))


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def bomb(levels: int, copies: int = 10) -> bytes:
    """Return a page with nested forms, ten in each: a few kilobytes that expand to 10^levels words."""
    page = "/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /F 6 0 R >> >> /Contents 5 0 R"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< {page} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Length 5 >>\nstream\n/F Do\nendstream",
    ]
    for level in range(levels):
        is_last = level == levels - 1
        stream = "BT /T 9 Tf 9 9 Td (bomb) Tj ET" if is_last else "1 0 0 1 1 1 cm /F Do\n" * copies
        resources = "/Font << /T 4 0 R >>" if is_last else f"/XObject << /F {7 + level} 0 R >>"
        form = f"/Type /XObject /Subtype /Form /BBox [0 0 999 999] /Resources << {resources} >> /Length {len(stream)}"
        objects.append(f"<< {form} >>\nstream\n{stream}\nendstream".encode())
    return assemble(objects)


async def test_bomb_is_too_large_or_times_out_within_its_limits(tmp_path: Path) -> None:
    path = tmp_path / "bomb.pdf"
    path.write_bytes(bomb(levels=8))
    assert path.stat().st_size < 8_000
    started = time.monotonic()
    with pytest.raises((FileTooLarge, TimedOut)):
        await extract_in_child(
            path, "application/pdf", limits=ExtractionLimits(max_seconds=20, max_memory_bytes=400_000_000)
        )
    assert time.monotonic() - started < 25
