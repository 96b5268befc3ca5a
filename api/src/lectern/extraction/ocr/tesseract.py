"""Text recognition by the Tesseract program: an image on standard input, words with boxes as TSV back."""

import io
import resource
import signal
import subprocess
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from PIL import Image

from lectern.extraction.errors import Corrupt
from lectern.extraction.kernel import PR_SET_PDEATHSIG, lower_limit, prctl
from lectern.extraction.ocr.pages import OcrLine, OcrWord
from lectern.extraction.programs import find_tesseract, to_tesseract_codes
from lectern.extraction.types import OcrEngine

_WORD_LEVEL = "5"
_FIELDS = 12
_LIST_SECONDS = 20
_PAGE_SECONDS = 180
_CONFIDENT = 0.8
_MIN_LETTERS = 3  # shorter words, such as `00`, are often read confidently upside down

# Extents of letters above and below the baseline, as shares of the type size.
_ASCENT, _X_HEIGHT, _DESCENT, _TAIL = 0.70, 0.51, 0.21, 0.12
_LOW = frozenset("acegmnopqrsuvwxyzµ.,:;-–—_•·…~")
_HANGING = frozenset("gjpqy()[]{}|/Qçµ$§")
_TAILED = frozenset(",;")


class Tesseract:
    """The program and the languages to recognize."""

    image_dpi = 300.0

    def __init__(self, program: Path, *, languages: Sequence[str], tessdata: str) -> None:
        self._program = program
        self._languages = languages
        self._environment = {"OMP_THREAD_LIMIT": "1", **({"TESSDATA_PREFIX": tessdata} if tessdata else {})}
        self.name = f"Tesseract, {'+'.join(languages)}"

    @classmethod
    def find(cls, languages: Sequence[str], *, tessdata: str) -> "Tesseract | None":
        """Return a reader for the installed ones of these languages (ISO 639-1); None without program or language.

        English is added if installed, because names and citations are in English everywhere.
        """
        program = find_tesseract(OcrEngine.TESSERACT)
        if program is None:
            return None
        installed = cls(program, languages=(), tessdata=tessdata).installed()
        chosen = [code for code in to_tesseract_codes(languages) if code in installed]
        return cls(program, languages=chosen, tessdata=tessdata) if chosen else None

    def installed(self) -> set[str]:
        """Return the codes of the installed languages."""
        output = self._run(["--list-langs"], b"", seconds=_LIST_SECONDS)
        return set(output.decode("utf-8", "replace").split()) if output else set()

    def read(self, image: Image.Image) -> list[OcrLine]:
        """Return the lines of an image in reading order. Raises `Corrupt` when the program fails."""
        buffer = io.BytesIO()
        image.convert("L").save(buffer, "PPM")
        dpi = str(int(image.info.get("dpi", (300, 300))[0]) or 300)
        arguments = ["stdin", "stdout", "-l", "+".join(self._languages), "--dpi", dpi, "tsv"]
        output = self._run(arguments, buffer.getvalue(), seconds=_PAGE_SECONDS)
        if output is None:
            raise Corrupt("Text recognition failed on this page.")
        return _lines(output.decode("utf-8", "replace"))

    def rate(self, image: Image.Image, lines: Sequence[OcrLine]) -> float:
        """Return the share of confident words. Dot leaders are long and unlikely words, so each word counts once."""
        del image
        words = [word for line in lines for word in line if sum(map(str.isalnum, word.text)) >= _MIN_LETTERS]
        return sum(word.confidence >= _CONFIDENT for word in words) / max(1, len(words))

    def _run(self, arguments: list[str], content: bytes, *, seconds: int) -> bytes | None:
        def limit() -> None:
            """End the program with the child that started it, or after this much processor time."""
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            lower_limit(resource.RLIMIT_CPU, seconds)  # the sandbox forbids to kill another process

        try:
            done = subprocess.run(  # noqa: S603 - a program of the system with arguments of ours
                [self._program, *arguments],
                input=content,
                capture_output=True,  # stderr too: the sandbox forbids to open the null device for writing
                env=self._environment,
                check=False,
                preexec_fn=limit,
            )
        except (OSError, subprocess.SubprocessError):
            return None
        return done.stdout if done.returncode == 0 else None


def _lines(table: str) -> list[OcrLine]:
    rows = [
        fields for row in table.split("\n") if len(fields := row.split("\t")) == _FIELDS and fields[0] == _WORD_LEVEL
    ]
    return [[_word(fields) for fields in words] for _, words in groupby(rows, key=lambda fields: fields[1:5])]


def _word(fields: list[str]) -> OcrWord:
    left, top, width, height = (float(field) for field in fields[6:10])
    text, confidence = fields[11], max(0.0, float(fields[10]) / 100)
    return OcrWord(text, left, top, left + width, top + height, confidence, type_size(text, height))


def type_size(text: str, height: float) -> float | None:
    """Estimate the type size from the tight box of a word; None for a word without letters and digits.

    `ACME` has no descender and `none` no ascender: they are 77 % and 56 % as high as `Depth` in one type size. The
    shares are means of common text faces (Times, Helvetica, Garamond), which differ by some 5 %.
    """
    if not any(map(str.isalnum, text)):
        return None
    head = _ASCENT if any(letter not in _LOW for letter in text) else _X_HEIGHT
    foot = max((_DESCENT if letter in _HANGING else _TAIL if letter in _TAILED else 0.0) for letter in text)
    return height * (_ASCENT + _DESCENT) / (head + foot)
