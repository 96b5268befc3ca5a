"""Multipart forms are parsed while they arrive, however they are split. Malformed forms are rejected."""

import itertools
from collections.abc import AsyncGenerator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.documents.errors import InvalidUpload
from lectern.documents.uploads.multipart import read_parts

TYPE = "multipart/form-data; boundary=B"
FORM = (
    b'--B\r\nContent-Disposition: form-data; name="tags"\r\n\r\ngr\xc3\xbcn\r\n'
    b'--B\r\nContent-Disposition: form-data; name="files"; filename="\xc3\xbc.txt"\r\n'
    b"Content-Type: text/plain\r\n\r\nline\r\n--b is no border\r\n\r\n--B--\r\n"
)
PARTS = [("tags", None, "grün".encode()), ("files", "ü.txt", b"line\r\n--b is no border\r\n")]


async def pieces(*parts: bytes) -> AsyncGenerator[bytes]:
    for part in parts:
        yield part


async def read(*parts: bytes, content_type: str = TYPE) -> list[tuple[str, str | None, bytes]]:
    found: list[tuple[str, str | None, bytes]] = []
    async for part in read_parts(content_type, pieces(*parts), max_skipped_bytes=1_000):
        content = b"".join([piece async for piece in part.stream()])
        found.append((part.name, part.filename, content))
    return found


@given(st.lists(st.integers(1, len(FORM) - 1), max_size=12))
async def test_parts_are_the_same_for_any_split_of_the_body(cuts: list[int]) -> None:
    borders = [0, *sorted(set(cuts)), len(FORM)]
    cut = [FORM[start:end] for start, end in itertools.pairwise(borders)]
    assert await read(*cut) == PARTS


async def test_unread_part_is_skipped() -> None:
    names = [part.name async for part in read_parts(TYPE, pieces(FORM), max_skipped_bytes=1_000)]
    assert names == ["tags", "files"]


async def test_unread_part_is_bounded() -> None:
    head = b'--B\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n'
    parts = aiter(read_parts(TYPE, pieces(head, *[b"x" * 500] * 10), max_skipped_bytes=1_000))
    assert (await anext(parts)).filename == "a"
    with pytest.raises(InvalidUpload, match="too long"):
        await anext(parts)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no border at all",
        FORM[:30],
        FORM[:-8],
        b"--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--\r\n",
        b'--B\r\nContent-Type: text/plain; name="x"\r\n\r\nx\r\n--B--\r\n',
        b"--B\r\n" + b"X-Long: " + b"y" * 10_000 + b"\r\n\r\nx\r\n--B--\r\n",
        b"--B\r\nbad header\r\n\r\nx\r\n--B--\r\n",
    ],
    ids=["empty", "text", "cut", "open", "nameless", "no disposition", "long header", "bad header"],
)
async def test_malformed_form_is_rejected(body: bytes) -> None:
    with pytest.raises(InvalidUpload):
        await read(body)


@pytest.mark.parametrize("content_type", ["multipart/form-data", "multipart/form-data; boundary=" + "b" * 300])
async def test_form_without_a_valid_boundary_is_rejected(content_type: str) -> None:
    with pytest.raises(InvalidUpload):
        await read(FORM, content_type=content_type)
