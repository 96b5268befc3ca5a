"""Addresses of databases that are none."""

import pytest
from pydantic import SecretStr

from lectern.app import open_replica
from lectern.errors import Misconfigured
from lectern.settings import DatabaseSettings, Settings


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mysql://me:zanzibar@host/x", "DATABASE_REPLICA_URL names 'mysql'; Lectern needs Postgres."),
        ("zanzibar", "DATABASE_REPLICA_URL is not an address."),
        ("postgresql://me:zanzibar@host:port/x", "DATABASE_REPLICA_URL is not an address."),
    ],
)
def test_a_wrong_address_is_told_by_the_variable_it_stands_in_and_not_shown(url: str, message: str) -> None:
    database = DatabaseSettings.model_validate({"replica_url": SecretStr(url)}, by_name=True)
    with pytest.raises(Misconfigured) as raised:
        open_replica(Settings(database=database))
    assert raised.value.message == message
    assert "zanzibar" not in f"{raised.value!r} {raised.value.hint}"
