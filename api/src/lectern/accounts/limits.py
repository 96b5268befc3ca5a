"""Sizes of the token buckets that limit rates. All processes share the buckets, which are rows in Postgres."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BucketSize:
    """`capacity` tokens at once, refilled evenly in `seconds`."""

    capacity: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.capacity / self.seconds

    def parameters(self) -> dict[str, float]:
        """Return the parameters of a statement that takes a token."""
        return {"capacity": float(self.capacity), "per_second": self.per_second}

    @property
    def longest_wait_seconds(self) -> int:
        """Return the time after which the next token is available at the latest."""
        return max(1, math.ceil(1 / self.per_second))
