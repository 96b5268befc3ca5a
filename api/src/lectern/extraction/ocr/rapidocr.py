"""Text recognition by rapidocr. Its models come with the package, so no system program is needed."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# rapidocr has no types

import re
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from lectern.extraction.ocr.pages import OcrLine, OcrWord, order_columns

_SAMPLE: Final = 5  # lines, of 2 ms each
_CLASSIFIED: Final = 4.0  # times the height of a line
_WORD = re.compile(r"\S+")
_PARAMETERS: dict[str, Any] = {
    "Global.log_level": "critical",
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
}


class RapidOcr:
    """The engine with its models loaded. It reads Latin scripts and Chinese without a language setting."""

    name = "rapidocr"
    image_dpi = 200.0  # as many words as at 300, in half the time

    def __init__(self) -> None:
        from rapidocr import RapidOCR

        self._read = RapidOCR(params=_PARAMETERS)

    def read(self, image: Image.Image) -> list[OcrLine]:
        """Return the lines of an image, column by column. Words share the box and confidence of their line.

        The words of rapidocr itself lost and swapped letters on real pages; its lines did not.
        """
        result: Any = self._read(_pixels(image), use_det=True, use_cls=True, use_rec=True)
        if result.txts is None:
            return []
        lines = [_line(*one) for one in zip(result.txts, result.boxes, result.scores, strict=True)]
        return order_columns([line for line in lines if line])

    def rate(self, image: Image.Image, lines: Sequence[OcrLine]) -> float:
        """Return the share of some long lines that are not upside down. Their words are read in either case."""
        parts = [_beginning(line) for line in sorted(lines, key=_length)[-_SAMPLE:]]
        found: list[Any] = [self._classify(_pixels(image.crop(part))) for part in parts]
        return sum(label == "0" for label in found) / max(1, len(found))

    def _classify(self, part: npt.NDArray[np.uint8]) -> str:
        """Return 0 or 180, the angle of a line."""
        is_tall = len(part) > part.shape[1]
        result: Any = self._read(np.rot90(part) if is_tall else part, use_det=False, use_cls=True, use_rec=False)
        return result.cls_res[0][0]


def _pixels(image: Image.Image) -> npt.NDArray[np.uint8]:
    return np.ascontiguousarray(np.asarray(image.convert("RGB"))[:, :, ::-1])


def _length(line: OcrLine) -> int:
    return sum(len(word.text) for word in line)


def _beginning(line: OcrLine) -> tuple[int, int, int, int]:
    """Return the box of the beginning of a line: more than the classifier takes would be squeezed."""
    left, top, right, bottom = line[0].left, line[0].top, line[-1].right, line[0].bottom
    reach = _CLASSIFIED * min(right - left, bottom - top)
    return round(left), round(top), round(min(right, left + reach)), round(min(bottom, top + reach))


def _line(text: str, corners: object, confidence: float) -> OcrLine:
    points = np.asarray(corners, dtype=np.float64)
    (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    step = (right - left) / max(1, len(text))
    return [
        OcrWord(match.group(), left + match.start() * step, top, left + match.end() * step, bottom, float(confidence))
        for match in _WORD.finditer(text)
    ]
