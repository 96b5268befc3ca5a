"""Text recognition by Tesseract's own program: a picture on its standard input, words with their boxes as TSV back."""

import ctypes
import io
import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from itertools import groupby

from PIL import Image

from lectern.extraction.errors import Corrupt
from lectern.extraction.ocr.pages import OcrLine, OcrWord

_FOLDERS = os.pathsep.join(("/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin", "/opt/local/bin"))
_CODES = {"en": "eng", "it": "ita", "de": "deu", "fr": "fra", "es": "spa", "pt": "por", "nl": "nld"}
_PR_SET_PDEATHSIG = 1
_WORD_LEVEL = "5"
_FIELDS = 12
_LIST_SECONDS = 20
_PAGE_SECONDS = 180.0

# How far letters reach above and below the line they stand on, as shares of the size of the type.
_HEAD, _MIDDLE, _FOOT, _TAIL = 0.70, 0.51, 0.21, 0.12
_LOW = frozenset("acegmnopqrsuvwxyzµ.,:;-–—_•·…~")
_HANGING = frozenset("gjpqy()[]{}|/Qçµ$§")
_TAILED = frozenset(",;")


class Tesseract:
    """The program with the languages that it has data for."""

    image_dpi = 300.0

    def __init__(self, program: str, *, languages: Sequence[str], tessdata: str) -> None:
        self._program = program
        self._languages = languages
        self._environment = {"OMP_THREAD_LIMIT": "1", **({"TESSDATA_PREFIX": tessdata} if tessdata else {})}
        self.name = f"Tesseract, {'+'.join(languages)}"

    @classmethod
    def find(cls, languages: Sequence[str], *, tessdata: str) -> "Tesseract | None":
        """The program, for those of the languages (ISO 639-1) that are installed; None without program or language.

        English is added where it is there: names, addresses and citations are in it all over the world.
        """
        program = shutil.which("tesseract", path=_FOLDERS)
        if program is None:
            return None
        installed = cls(program, languages=(), tessdata=tessdata).installed()
        wanted = [_CODES.get(language, language) for language in (*languages, "en")]
        chosen = [code for code in dict.fromkeys(wanted) if code in installed]
        return cls(program, languages=chosen, tessdata=tessdata) if chosen else None

    def installed(self) -> set[str]:
        """The codes of the languages that the program has data for."""
        found = self._run(["--list-langs"], b"", seconds=_LIST_SECONDS)
        return set(found.decode("utf-8", "replace").split()) if found else set()

    def read(self, image: Image.Image) -> list[OcrLine]:
        """The lines of a picture in reading order. Raises `Corrupt` when the program fails on it."""
        buffer = io.BytesIO()
        image.convert("L").save(buffer, "PPM")
        dpi = str(int(image.info.get("dpi", (300, 300))[0]) or 300)
        arguments = ["stdin", "stdout", "-l", "+".join(self._languages), "--dpi", dpi, "tsv"]
        found = self._run(arguments, buffer.getvalue(), seconds=_PAGE_SECONDS)
        if found is None:
            raise Corrupt("Text recognition failed on this page.")
        return _lines(found.decode("utf-8", "replace"))

    def _run(self, arguments: list[str], content: bytes, *, seconds: float) -> bytes | None:
        try:
            done = subprocess.run(  # noqa: S603 - a program of the system with arguments of ours
                [self._program, *arguments],
                input=content,
                capture_output=True,  # stderr, too: the null device may not be opened for writing here
                env=self._environment,
                timeout=seconds,
                check=False,
                preexec_fn=_die_with_parent,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout if done.returncode == 0 else None


def _die_with_parent() -> None:
    """The program must not outlive the child that called it, which may be killed at any time."""
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    except AttributeError:  # not Linux: its processor time is limited all the same
        return


def _lines(table: str) -> list[OcrLine]:
    rows = [
        fields for row in table.split("\n") if len(fields := row.split("\t")) == _FIELDS and fields[0] == _WORD_LEVEL
    ]
    found: list[OcrLine] = []
    for _, words in groupby(rows, key=lambda fields: fields[1:5]):
        found.append([_word(fields) for fields in words])
    return found


def _word(fields: list[str]) -> OcrWord:
    left, top, width, height = (float(field) for field in fields[6:10])
    text, confidence = fields[11], max(0.0, float(fields[10]) / 100)
    return OcrWord(text, left, top, left + width, top + height, confidence, type_size(text, height))


def type_size(text: str, height: float) -> float | None:
    """From the head of a `d` to the foot of a `p`, by a word's tight box; None for a word without letters and figures.

    `ACME` has no foot and `none` no head: in one size of type they are 77 % and 56 % as high as `Depth`. The shares are
    between those of the common text faces (Times, Helvetica, Garamond), which differ by some 5 %.
    """
    if not any(map(str.isalnum, text)):
        return None
    head = _HEAD if any(letter not in _LOW for letter in text) else _MIDDLE
    foot = max((_FOOT if letter in _HANGING else _TAIL if letter in _TAILED else 0.0) for letter in text)
    return height * (_HEAD + _FOOT) / (head + foot)
