"""Every range of characters has rectangles. Packing loses nothing visible."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.extraction.layout.boxes import (
    PagePart,
    WordBoxes,
    pack_boxes,
    rectangles,
    rectangles_of,
    unpack_boxes,
)
from lectern.extraction.types import Rect

FRACTION = st.floats(0, 1, width=32)


@st.composite
def word_boxes(draw: st.DrawFn) -> WordBoxes:
    lengths = draw(st.lists(st.tuples(st.integers(1, 400), st.integers(0, 70_000)), min_size=1, max_size=60))
    starts, ends, position = list[int](), list[int](), 0
    for length, gap in lengths:
        starts.append(position + gap)
        position += gap + length
        ends.append(position)
    runs = np.cumsum(draw(st.lists(st.integers(0, 1), min_size=len(starts), max_size=len(starts))))
    corners = np.array(
        draw(st.lists(st.tuples(FRACTION, FRACTION, FRACTION, FRACTION), min_size=len(starts), max_size=len(starts)))
    )
    corners = np.concatenate(
        [np.minimum(corners[:, :2], corners[:, 2:]), np.maximum(corners[:, :2], corners[:, 2:])], 1
    )
    return WordBoxes(starts=np.array(starts), ends=np.array(ends), runs=runs, corners=corners)


@given(word_boxes())
def test_unpacked_boxes_are_accurate_to_a_hundredth_of_a_point(words: WordBoxes) -> None:
    back = unpack_boxes(pack_boxes(words))
    assert back.starts.tolist() == words.starts.tolist()
    assert back.ends.tolist() == words.ends.tolist()
    assert back.runs.tolist() == words.runs.tolist()
    assert np.abs(back.corners - words.corners).max() <= 0.5 / 65_535 + 1e-9


@given(word_boxes(), st.data())
def test_rectangles_are_inside_the_boxes_of_their_words(words: WordBoxes, data: st.DataObject) -> None:
    length = int(words.ends[-1])
    start = data.draw(st.integers(0, length - 1))
    end = data.draw(st.integers(start + 1, length))
    touched = (words.ends > start) & (words.starts < end)
    rects = rectangles(pack_boxes(words), start, end)
    assert len(rects) >= len(set(words.runs[touched].tolist()))
    if not touched.any():
        return
    corners = words.corners[touched]
    near = 2 / 65_535
    assert min(rect.x for rect in rects) >= corners[:, 0].min() - near
    assert max(rect.x + rect.width for rect in rects) <= corners[:, 2].max() + near
    assert min(rect.y for rect in rects) >= corners[:, 1].min() - near
    assert max(rect.y + rect.height for rect in rects) <= corners[:, 3].max() + near


@st.composite
def pages_and_parts(draw: st.DrawFn) -> tuple[list[WordBoxes | None], list[PagePart]]:
    pages = draw(st.lists(st.none() | word_boxes(), min_size=1, max_size=5))
    parts: list[PagePart] = []
    for page in draw(st.lists(st.integers(0, len(pages) - 1), max_size=8)):
        words = pages[page]
        edges = st.integers(0, 100 if words is None else int(words.ends[-1]) + 10)
        parts.append(PagePart(page, draw(edges), draw(edges)))
    return pages, parts


@given(pages_and_parts())
def test_rectangles_of_many_pages_equal_a_walk_over_their_words(
    asked: tuple[list[WordBoxes | None], list[PagePart]],
) -> None:
    pages, parts = asked
    packed = [b"" if page is None else pack_boxes(page) for page in pages]
    all_rects = rectangles_of(packed, parts)
    assert len(all_rects) == len(parts)
    for part, rects in zip(parts, all_rects, strict=True):
        expected = walk(packed[part.page], part.start, part.end)
        assert len(rects) == len(expected)
        assert np.allclose(np.array(rects).reshape(-1, 4), np.array(expected).reshape(-1, 4), atol=1e-12)


def walk(packed: bytes, start: int, end: int) -> list[Rect]:
    """Compute the rectangles word by word, as the docstring of `rectangles_of` defines them."""
    if not packed or start >= end:
        return []
    words = unpack_boxes(packed)
    runs: dict[int, list[tuple[float, float, float, float]]] = {}
    for own, behind, run, sides in zip(words.starts, words.ends, words.runs, words.corners, strict=True):
        if behind <= start or own >= end:
            continue
        left, top, right, bottom = sides
        if bottom - top <= right - left:
            each = (right - left) / (behind - own)
            left, right = left + each * max(start - own, 0), right - each * max(behind - end, 0)
        runs.setdefault(int(run), []).append((left, top, right, bottom))
    pieces = [piece for run in runs.values() for piece in split(np.array(run))]
    boxes = [(*np.min(piece, axis=0)[:2], *np.max(piece, axis=0)[2:]) for piece in pieces]
    return [Rect(left, top, right - left, bottom - top) for left, top, right, bottom in boxes]


def split(run: npt.NDArray[np.float64]) -> list[npt.NDArray[np.float64]]:
    """Split words that slope: their run is much wider and higher than the largest of them."""
    width, height = (run[:, 2:] - run[:, :2]).max(axis=0)
    whole_width, whole_height = run[:, 2:].max(axis=0) - run[:, :2].min(axis=0)
    if whole_width <= 1.8 * width or whole_height <= 1.8 * height:
        return [run]
    middles = run[:, 1] + run[:, 3]
    steps = np.rint((middles - middles[0]) / max(height, 1 / 65_535))
    return np.split(run, np.flatnonzero(np.diff(steps)) + 1)


@pytest.mark.parametrize(
    ("slope", "tops"),
    [(0.0, [0.2]), (0.004, [0.2]), (0.03, [0.2, 0.209, 0.217, 0.226])],
)
def test_rectangles_of_a_run_follow_its_slope(slope: float, tops: list[float]) -> None:
    left = np.linspace(0.1, 0.8, 8)
    top = 0.2 + slope * (left - 0.1) / 0.7
    words = WordBoxes(
        starts=np.arange(8) * 5, ends=np.arange(8) * 5 + 4, runs=np.zeros(8, np.int64),
        corners=np.stack([left, top, left + 0.08, top + 0.02], axis=1),
    )  # fmt: skip
    rects = rectangles(pack_boxes(words), 0, 40)
    assert [rect.y for rect in rects] == pytest.approx(tops, abs=0.002)
    assert max(rect.height for rect in rects) <= 0.031


def test_rectangle_of_sideways_text_stays_whole() -> None:
    top = np.linspace(0.1, 0.8, 8)
    words = WordBoxes(
        starts=np.arange(8) * 5, ends=np.arange(8) * 5 + 4, runs=np.zeros(8, np.int64),
        corners=np.stack([np.full(8, 0.5), top, np.full(8, 0.52), top + 0.08], axis=1),
    )  # fmt: skip
    assert len(rectangles(pack_boxes(words), 0, 40)) == 1


def test_part_of_a_word_gets_its_share_of_the_width() -> None:
    words = WordBoxes(
        starts=np.array([0, 5]), ends=np.array([4, 15]), runs=np.array([0, 0]),
        corners=np.array([[0.1, 0.1, 0.2, 0.12], [0.3, 0.1, 0.8, 0.12]]),
    )  # fmt: skip
    (rect,) = rectangles(pack_boxes(words), 7, 9)
    assert (rect.x, rect.width) == (pytest.approx(0.4, abs=1e-4), pytest.approx(0.1, abs=1e-4))


def test_empty_range_and_empty_page_have_no_rectangles() -> None:
    words = WordBoxes(starts=np.array([0]), ends=np.array([4]), runs=np.array([0]), corners=np.array([[0, 0, 1, 1.0]]))
    assert rectangles(pack_boxes(words), 2, 2) == []
    assert rectangles(pack_boxes(words), 4, 9) == []
    assert rectangles(b"", 0, 100) == []


def test_invalid_bytes_are_rejected() -> None:
    with pytest.raises(ValueError, match="version"):
        unpack_boxes(b"\x09rubbish")
