"""Any range of characters has its rectangles; packing loses nothing that can be seen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.extraction.boxes import WordBoxes, pack_boxes, rectangles, unpack_boxes

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
def test_unpacked_boxes_are_the_packed_ones_to_a_hundredth_of_a_point(words: WordBoxes) -> None:
    back = unpack_boxes(pack_boxes(words))
    assert back.starts.tolist() == words.starts.tolist()
    assert back.ends.tolist() == words.ends.tolist()
    assert back.runs.tolist() == words.runs.tolist()
    assert np.abs(back.corners - words.corners).max() <= 0.5 / 65_535 + 1e-9


@given(word_boxes(), st.data())
def test_rectangles_lie_within_the_boxes_of_the_words_they_touch(words: WordBoxes, data: st.DataObject) -> None:
    length = int(words.ends[-1])
    start = data.draw(st.integers(0, length - 1))
    end = data.draw(st.integers(start + 1, length))
    touched = (words.ends > start) & (words.starts < end)
    found = rectangles(pack_boxes(words), start, end)
    assert len(found) == len(set(words.runs[touched].tolist()))
    if not touched.any():
        return
    corners = words.corners[touched]
    near = 2 / 65_535
    assert min(rect.x for rect in found) >= corners[:, 0].min() - near
    assert max(rect.x + rect.width for rect in found) <= corners[:, 2].max() + near
    assert min(rect.y for rect in found) >= corners[:, 1].min() - near
    assert max(rect.y + rect.height for rect in found) <= corners[:, 3].max() + near


def test_a_part_of_a_word_gets_its_share_of_the_width() -> None:
    words = WordBoxes(
        starts=np.array([0, 5]), ends=np.array([4, 15]), runs=np.array([0, 0]),
        corners=np.array([[0.1, 0.1, 0.2, 0.12], [0.3, 0.1, 0.8, 0.12]]),
    )  # fmt: skip
    (rect,) = rectangles(pack_boxes(words), 7, 9)
    assert (rect.x, rect.width) == (pytest.approx(0.4, abs=1e-4), pytest.approx(0.1, abs=1e-4))


def test_an_empty_range_and_an_empty_page_have_no_rectangles() -> None:
    words = WordBoxes(starts=np.array([0]), ends=np.array([4]), runs=np.array([0]), corners=np.array([[0, 0, 1, 1.0]]))
    assert rectangles(pack_boxes(words), 2, 2) == []
    assert rectangles(pack_boxes(words), 4, 9) == []
    assert rectangles(b"", 0, 100) == []


def test_foreign_bytes_are_refused() -> None:
    with pytest.raises(ValueError, match="version"):
        unpack_boxes(b"\x09rubbish")
