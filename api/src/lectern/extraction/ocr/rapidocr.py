"""Text recognition by rapidocr. Its models come with the package, so no system program is needed."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# rapidocr has no types

import re
from typing import Any

import numpy as np
from PIL import Image

from lectern.extraction.ocr.pages import OcrLine, OcrWord, order_columns

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
        result: Any = self._read(np.asarray(image.convert("RGB"))[:, :, ::-1])
        if result.txts is None:
            return []
        lines = [_line(*one) for one in zip(result.txts, result.boxes, result.scores, strict=True)]
        return order_columns([line for line in lines if line])


def _line(text: str, corners: object, confidence: float) -> OcrLine:
    points = np.asarray(corners, dtype=np.float64)
    (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    step = (right - left) / max(1, len(text))
    return [
        OcrWord(match.group(), left + match.start() * step, top, left + match.end() * step, bottom, float(confidence))
        for match in _WORD.finditer(text)
    ]
