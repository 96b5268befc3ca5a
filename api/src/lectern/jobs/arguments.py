"""The arguments of a job, typed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from pydantic import SecretStr


@dataclass(frozen=True, slots=True)
class JobArguments:
    """The language and password that somebody gave for a file, and the span of the request, as a `traceparent`.

    The password stays with a job only until its file has been read: `without_password` is what is stored afterwards.
    """

    language: str | None = None
    password: SecretStr | None = None
    traceparent: str | None = None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Self:
        """Read the column of a job."""
        password = row.get("password")
        return cls(row.get("language"), SecretStr(password) if password else None, row.get("traceparent"))

    def to_row(self) -> dict[str, str]:
        """Build the column of a job that still has to read its file."""
        password = self.password.get_secret_value() if self.password else None
        row = {"language": self.language, "password": password, "traceparent": self.traceparent}
        return {name: value for name, value in row.items() if value}

    def without_password(self) -> Self:
        """Return the arguments of a job that has read its file."""
        return replace(self, password=None)
