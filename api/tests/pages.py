"""Commands and outputs that a page of the documentation shows, and a terminal to type the commands into."""

import json
import os
import pty
import re
import subprocess
import termios
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
COLOURS = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")
CTRL_C = b"\x03"
SIZE = (24, 80)  # lines and columns


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: commands (`sh`), a file (`json`), or an output (no language)."""

    language: str
    text: str


def read_blocks(page: Path) -> list[Block]:
    """Return the blocks of a page in their order, without the indentation of a list."""
    found = FENCE.findall(page.read_text(encoding="utf-8"))
    return [Block(language, re.sub(rf"^{indent}", "", text, flags=re.MULTILINE)) for indent, language, text in found]


def is_shown(example: str, output: str) -> bool:
    """Return true if `output` has an example. `...`, `<words>` and seconds are placeholders, spaces may differ."""
    expected, actual = (re.sub(r"\s", "", text) for text in (example, output))
    pattern = re.sub(r"\\\.\\\.\\\.|<.+?>|\d+\\\.\d+(?=s)", ".+?", re.escape(expected))
    return re.search(pattern, actual) is not None


def json_values(text: str) -> Iterator[Any]:
    """Yield each JSON object in `text`. Text around it is ignored."""
    start = text.find("{")
    while start >= 0:
        value, end = json.JSONDecoder().raw_decode(text, start)
        yield value
        start = text.find("{", end)


class Terminal:
    """A command in a terminal of 80 columns, as a person starts it."""

    def __init__(
        self, command: Sequence[str], *, folder: Path | None = None, environment: Mapping[str, str] | None = None
    ) -> None:
        self._screen, inside = pty.openpty()
        termios.tcsetwinsize(inside, SIZE)
        self._process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=inside, stdout=inside, stderr=inside, start_new_session=True
        )
        os.close(inside)
        self._received = bytearray()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def output(self) -> str:
        return COLOURS.sub("", self._received.decode(errors="replace").replace("\r\n", "\n"))

    def wait_for(self, text: str, *, seconds: float) -> None:
        """Wait until `text` is on the screen."""
        until = time.monotonic() + seconds
        while text not in self.output:
            assert self._process.poll() is None, f"It ended without {text!r}.\n{self.output}"
            assert time.monotonic() < until, f"No {text!r} after {seconds} s.\n{self.output}"
            time.sleep(0.1)

    def press_ctrl_c(self) -> None:
        os.write(self._screen, CTRL_C)

    def wait(self, *, seconds: float) -> int:
        """Return the exit code."""
        code = self._process.wait(seconds)
        self._reader.join(seconds)
        return code

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._reader.join()

    def _read(self) -> None:
        with os.fdopen(self._screen, "rb", buffering=0, closefd=False) as screen, suppress(OSError):  # how it ends
            while received := screen.read(4096):
                self._received += received
