"""Ids are parsed from the text output of Postgres."""

import uuid

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from lectern.db.scope import IdList


@pytest.mark.parametrize("count", [0, 1, 2, 500])
async def test_ids_equal_the_postgres_output(connection: AsyncConnection, count: int) -> None:
    ids = [uuid.uuid4() for _ in range(count)]
    literal = (await connection.execute(text("SELECT CAST(:ids AS uuid[])::text"), {"ids": ids})).scalar_one()
    listed = IdList(literal)
    assert listed.literal == "{" + ",".join(map(str, ids)) + "}"
    assert (len(listed), list(listed)) == (count, ids)
    assert all(one in listed for one in ids)
    assert uuid.uuid4() not in listed
    assert "}" not in listed
