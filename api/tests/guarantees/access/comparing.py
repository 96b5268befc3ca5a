"""Compare two responses: everything counts but ids of new rows, times of now and measured durations."""

import base64
import difflib
import json
import re
from dataclasses import dataclass
from typing import Any, cast

import httpx

HEADERS = {"x-request-id", "date", "content-length", "server-timing"}
MEASURED = {
    "took_ms", "timings_seconds", "request_id", "instance", "uptime_seconds", "latency_ms", "client_id_issued_at",
    "created",
}  # fmt: skip
SECRETS = {"key", "prefix", "key_prefix", "access_token", "refresh_token"}
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_CODE = re.compile(r"(?<=[?&]code=)[\w-]+")
# of a cookie: `max-age` says the same in seconds from now
_EXPIRES = re.compile(r"(?<=expires=)\w{3}, [\w: ]+ GMT")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)?")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both responses in comparable form."""

    first: str
    second: str

    @property
    def is_equal(self) -> bool:
        return self.first == self.second

    def __str__(self) -> str:
        lines = difflib.unified_diff(self.first.splitlines(), self.second.splitlines(), "first", "second", "", "", n=1)
        return "\n".join(lines)


class Normalizer:
    """Replace what may differ. Ids and times of the common part stay."""

    def __init__(self, common_ids: set[str], started_at: str) -> None:
        self._common_ids = common_ids
        self._started_at = started_at

    def compare(self, first: httpx.Response, second: httpx.Response) -> Comparison:
        return Comparison(self.text(first), self.text(second))

    def compare_json(self, first: object, second: object) -> Comparison:
        return Comparison(*(self.plain(self._shown(value)) for value in (first, second)))

    def _shown(self, value: object) -> str:
        return json.dumps(self.value(value), indent=1, ensure_ascii=False)

    def text(self, response: httpx.Response) -> str:
        headers = sorted(f"{name}: {value}" for name, value in response.headers.items() if name not in HEADERS)
        content_type = response.headers.get("content-type", "")
        if "json" in content_type and response.content:
            shown = self._shown(response.json())
        else:
            shown = response.content.decode("latin-1")
        return self.plain("\n".join([str(response.status_code), *headers, shown]))

    def value(self, value: Any) -> Any:
        match value:
            case dict():
                members = cast("dict[str, Any]", value)
                return {name: self._member(name, inner) for name, inner in members.items()}
            case list():
                return [self.value(inner) for inner in cast("list[Any]", value)]
            case _:
                return value

    def _member(self, name: str, value: Any) -> Any:
        if name in MEASURED:
            return sorted(cast("dict[str, Any]", value)) if isinstance(value, dict) else "measured"
        if name in SECRETS:
            return "secret"
        if name == "next_cursor" and value:
            return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4)).decode()
        return self.value(value)

    def plain(self, text: str) -> str:
        """Number new ids in order of appearance, and replace times after the start."""
        numbers: dict[str, str] = {}

        def identify(found: re.Match[str]) -> str:
            if found[0] in self._common_ids:
                return found[0]
            return numbers.setdefault(found[0], f"id-{len(numbers) + 1}")

        def date(found: re.Match[str]) -> str:
            return found[0] if found[0].replace(" ", "T") < self._started_at else "now"

        return _CODE.sub("secret", _EXPIRES.sub("then", _TIME.sub(date, _UUID.sub(identify, text))))
