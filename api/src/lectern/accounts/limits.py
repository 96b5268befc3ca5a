"""Token buckets in Postgres, shared by all processes: one statement takes a token or tells that there is none."""

import math
from dataclasses import dataclass
from typing import Final

from sqlalchemy import text

from lectern.db.session import Session

# A bucket fills by `per_second` up to `capacity`. When less than one token is there, nothing is written and no row
# comes back. The clock of the database counts, so that processes need not agree on the time.
_FILLED = """least(
    CAST(:capacity AS double precision),
    bucket.tokens
        + CAST(:per_second AS double precision) * greatest(extract(epoch FROM clock_timestamp() - bucket.updated_at), 0)
)"""
TAKE_SQL: Final = f"""
INSERT INTO rate_buckets AS bucket (key, tokens, updated_at)
SELECT source.key, CAST(:capacity AS double precision) - 1, clock_timestamp() FROM source
ON CONFLICT (key) DO UPDATE SET tokens = {_FILLED} - 1, updated_at = clock_timestamp()
WHERE {_FILLED} >= 1
RETURNING tokens
"""  # noqa: S608 - made of constants
_TAKE = text(f"WITH source AS (SELECT CAST(:key AS text) AS key) {TAKE_SQL}")
_FORGET = text("DELETE FROM rate_buckets WHERE key = ANY(:keys)")
_SWEEP = text("DELETE FROM rate_buckets WHERE updated_at < clock_timestamp() - interval '1 day'")


@dataclass(frozen=True, slots=True)
class BucketSize:
    """`capacity` tokens at once, refilled evenly in `seconds`."""

    capacity: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.capacity / self.seconds

    def parameters(self) -> dict[str, float]:
        """What `TAKE_SQL` asks for, beside a `source` with the key."""
        return {"capacity": float(self.capacity), "per_second": self.per_second}

    @property
    def longest_wait_seconds(self) -> int:
        """The next token is there after this at the latest."""
        return max(1, math.ceil(1 / self.per_second))


async def take(session: Session, key: str, size: BucketSize) -> float | None:
    """Take a token; the number of tokens left, or None when there was none to take."""
    return (await session.execute(_TAKE, {"key": key, **size.parameters()})).scalar_one_or_none()


async def forget(session: Session, *keys: str) -> None:
    """Make these buckets full again."""
    await session.execute(_FORGET, {"keys": sorted(keys)})


async def sweep(session: Session) -> None:
    """Remove buckets that have long been full."""
    await session.execute(_SWEEP)
