"""A process with an untrusted file has no network, other files, writes or programs."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.extraction.fuzzing import FORMATS, samples

from lectern.extraction.errors import ExtractionFailed
from lectern.extraction.kernel import Enforcement
from lectern.extraction.registry import extract_document
from lectern.extraction.sandbox.extraction import extract_in_child
from lectern.extraction.sandbox.landlock import restrict_files
from lectern.extraction.sandbox.seccomp import restrict_calls
from lectern.extraction.sandbox.self_check import MEANINGS, Confinement, check_confinement, find_confinement
from lectern.extraction.types import ExtractionLimits

ALONE = """
import json, os, socket, sys
from pathlib import Path
from lectern.extraction.sandbox.confinement import die_with_parent
from lectern.extraction.programs import find_loader
from lectern.extraction.kernel import Enforcement
from lectern.extraction.sandbox.landlock import restrict_files
from lectern.extraction.sandbox.seccomp import restrict_calls
from lectern.extraction.sandbox.seccomp import restrict_calls
layer, given, other, is_runner = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4] == "runs"
die_with_parent(os.getppid())
if layer == "landlock":
    program = Path(sys.executable).resolve()
    libraries = (program.parent.parent, Path("/lib"), Path("/usr/lib"), Path("/lib64"))
    executable = (program, find_loader(program)) if is_runner else ()
    holds = restrict_files((given, *libraries), executable=executable) == "enforced"
else:
    holds = restrict_calls(may_execute=is_runner) == "enforced"
def refused(attempt):
    try:
        attempt()
    except OSError as error:
        return type(error).__name__ == "PermissionError"
    return False
def connect():
    with socket.create_connection(("127.0.0.1", 9)):
        pass
def run():
    program = os.path.realpath(sys.executable)
    _, status = os.waitpid(os.posix_spawn(program, [program, "-S", "-c", ""], {}), 0)
    assert status == 0, status
print(json.dumps({
    "holds": holds, "given": given.read_text(), "network": refused(connect), "reading": refused(other.read_text),
    "creating": refused(lambda: (other.parent / "new").write_text("x")),
    "writing": refused(lambda: given.write_text("x")), "removing": refused(given.unlink),
    "moving": refused(lambda: other.rename(other.parent / "moved")),
    "cutting": refused(lambda: os.truncate(given, 0)), "making": refused(lambda: (other.parent / "folder").mkdir()),
    "programs": refused(run),
}))
"""
CHANGES = ("creating", "writing", "removing", "moving", "cutting", "making")


def alone(layer: str, folder: Path, *, may_execute: bool = False) -> dict[str, bool | str]:
    """Return the operations that one of the two layers denies without the other."""
    for name in ("given", "other"):
        (folder / name).write_text(name)
    done = subprocess.run(
        [sys.executable, "-c", ALONE, layer, folder / "given", folder / "other", "runs" if may_execute else "reads"],
        env={"PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)},
        capture_output=True,
        check=True,
    )
    assert sorted(path.name for path in folder.iterdir()) == ["given", "other"]
    assert (folder / "given").read_text() == "given"
    return json.loads(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="seccomp is of Linux")
def test_syscall_filter_alone_blocks_network_writes_and_programs(tmp_path: Path) -> None:
    result = alone("seccomp", tmp_path)
    refused = {name for name in ("network", "programs", *CHANGES) if result[name]}
    assert refused == {"network", "programs", *CHANGES}
    assert (result["holds"], result["given"], result["reading"]) == (True, "given", False)
    assert alone("seccomp", tmp_path, may_execute=True)["programs"] is False, "text recognition runs one"


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock is of Linux")
def test_file_rules_alone_allow_only_the_given_file(tmp_path: Path) -> None:
    result = alone("landlock", tmp_path)
    if not result["holds"]:
        assert not any(result[name] for name in CHANGES)
        pytest.skip("this kernel has no Landlock")
    assert (result["given"], result["reading"]) == ("given", True)
    assert {name for name in CHANGES if result[name]} == set(CHANGES)


@pytest.mark.skipif(sys.platform != "linux", reason="the confinement is of Linux")
def test_child_that_tries_to_escape_is_denied_everything(tmp_path: Path) -> None:
    has_landlock = alone("landlock", tmp_path)["holds"]
    confinement = check_confinement()
    assert confinement.reading is has_landlock
    assert confinement.missing == ([] if has_landlock else [MEANINGS["reading"]])
    assert confinement.seccomp is Enforcement.ENFORCED


def test_check_that_cannot_run_reports_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    check_confinement.cache_clear()
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert find_confinement() is None
    monkeypatch.undo()
    assert find_confinement() == check_confinement(), "and asked again the next time"


def test_missing_restrictions_are_named() -> None:
    found = replace(Confinement(), **dict.fromkeys(MEANINGS, True))
    assert found.missing == []
    assert replace(found, reading=False, programs=False).missing == [
        "no file is read but the one given and the interpreter's own",
        "no program is started",
    ]


def test_other_systems_are_not_reported_as_confined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert restrict_files(()) is Enforcement.UNSUPPORTED
    assert restrict_calls() is Enforcement.UNSUPPORTED


@pytest.mark.parametrize("content_type", FORMATS)
async def test_every_format_is_read_the_same_when_confined(tmp_path: Path, content_type: str) -> None:
    path = tmp_path / "file"
    for content in samples(content_type):
        path.write_bytes(content)
        try:
            expected = extract_document(path, content_type, limits=ExtractionLimits())
        except ExtractionFailed as failure:  # images have no text layer
            with pytest.raises(type(failure)):
                await extract_in_child(path, content_type, limits=ExtractionLimits())
        else:
            assert await extract_in_child(path, content_type, limits=ExtractionLimits()) == expected
