"""What is said between the process that wants a page drawn and the one that draws it; imports little, see `wire`."""

import json
from typing import Final, Literal, NamedTuple, Self

from lectern.extraction.sandbox import wire

ImageFormat = Literal["webp", "jpeg"]

IMAGE: Final = b"I"
NO_PAGE: Final = b"N"


class DrawingTask(NamedTuple):
    """What the child is asked to do."""

    path: str
    page_number: int
    width_pixels: int
    image_format: ImageFormat
    max_seconds: float
    max_memory_bytes: int
    parent_pid: int

    @classmethod
    def read(cls, raw: bytes) -> Self:
        """The task that the parent wrote."""
        return cls(**json.loads(raw))

    def write(self) -> bytes:
        """The task as one line of JSON."""
        return json.dumps(self._asdict()).encode()


def image_frame(image: bytes) -> bytes:
    """The only frame of a page that could be drawn."""
    return wire.HEADER.pack(IMAGE, 0, len(image)) + image


def no_page_frame() -> bytes:
    """The only frame of a page that the file does not have."""
    return wire.HEADER.pack(NO_PAGE, 0, 0)
