"""A cursor is valid only for the list and sort order that it came from."""

import base64
import json
import uuid
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.http.errors import BrokenCursor
from lectern.http.pagination import decode_cursor, encode_cursor

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
MOMENTS = st.datetimes(timezones=st.just(UTC))


@given(TEXT, TEXT, st.integers(-(2**62), 2**62), MOMENTS, st.uuids())
def test_a_cursor_brings_its_keys_back(order: str, text: str, number: int, moment: datetime, key: uuid.UUID) -> None:
    cursor = encode_cursor(order, [text, number, moment, key])
    assert decode_cursor(cursor, order=order, types=(str, int, datetime, uuid.UUID)) == [text, number, moment, key]


@given(st.text())
def test_anything_else_is_refused(cursor: str) -> None:
    with pytest.raises(BrokenCursor):
        decode_cursor(cursor, order="x", types=(int, str))


def forged(values: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "values",
    [
        [],
        {},
        "x",
        ["y", 1],
        ["x"],
        ["x", 1, 2],
        ["x", "1"],
        ["x", True],
        ["x", 1.5],
        ["x", None],
        ["x", 2**63],
        ["x", 10**400],
    ],
)
def test_a_forged_cursor_of_another_shape_is_refused(values: object) -> None:
    with pytest.raises(BrokenCursor):
        decode_cursor(forged(values), order="x", types=(int,))


@pytest.mark.parametrize(("value", "kind"), [("a\x00", str), ("\ud800", str), ("not one", uuid.UUID), ("x", datetime)])
def test_keys_that_the_database_could_not_compare_are_refused(
    value: str, kind: type[str | uuid.UUID | datetime]
) -> None:
    with pytest.raises(BrokenCursor):
        decode_cursor(forged(["x", value]), order="x", types=(kind,))
