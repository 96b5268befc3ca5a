"""Token buckets in Postgres, shared by all processes: one statement takes a token or tells that there is none."""

import math
from dataclasses import dataclass

from sqlalchemy import text

from lectern.db.session import Session

# A bucket fills by `per_second` up to `capacity`. When less than one token is there, nothing is written and no row
# comes back. The clock of the database counts, so that processes need not agree on the time.
_TAKE = text("""
INSERT INTO rate_buckets AS bucket (key, tokens, updated_at)
VALUES (:key, CAST(:capacity AS double precision) - 1, clock_timestamp())
ON CONFLICT (key) DO UPDATE SET
    tokens = least(
        :capacity,
        bucket.tokens + :per_second * greatest(extract(epoch FROM clock_timestamp() - bucket.updated_at), 0)
    ) - 1,
    updated_at = clock_timestamp()
WHERE least(
        :capacity,
        bucket.tokens + :per_second * greatest(extract(epoch FROM clock_timestamp() - bucket.updated_at), 0)
    ) >= 1
RETURNING tokens
""")
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

    @property
    def longest_wait_seconds(self) -> int:
        """The next token is there after this at the latest."""
        return max(1, math.ceil(1 / self.per_second))


async def take(session: Session, key: str, size: BucketSize) -> float | None:
    """Take a token; the number of tokens left, or None when there was none to take."""
    values = {"key": key, "capacity": float(size.capacity), "per_second": size.per_second}
    return (await session.execute(_TAKE, values)).scalar_one_or_none()


async def forget(session: Session, *keys: str) -> None:
    """Make these buckets full again."""
    await session.execute(_FORGET, {"keys": sorted(keys)})


async def sweep(session: Session) -> None:
    """Remove buckets that have long been full."""
    await session.execute(_SWEEP)
