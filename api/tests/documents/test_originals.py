"""Download originals byte for byte, whole or in ranges, with safe headers."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.api import Api

from lectern.documents.errors import InvalidRange
from lectern.documents.parts.delivery import parse_range

CONTENT = bytes(range(32, 127)) * 11_000  # more than one part of the storage's stream


async def address(api: Api, headers: dict[str, str], filename: str = "a.txt") -> str:
    item = await api.upload(headers, CONTENT, filename=filename)
    return f"/api/v1/documents/{item['document']['id']}/original"


async def test_whole_file_is_returned(api: Api) -> None:
    editor = await api.person()
    response = await api.client.get(await address(api, editor.headers, 'naïve "file".txt'), headers=editor.headers)
    assert (response.status_code, response.content) == (200, CONTENT)
    assert response.headers["content-length"] == str(len(CONTENT))
    assert response.headers["content-type"].startswith("text/plain")
    disposition = response.headers["content-disposition"]
    assert disposition.startswith("attachment; ")
    assert "filename*=UTF-8''na%C3%AFve%20%22file%22.txt" in disposition
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["content-security-policy"].startswith("sandbox")


@pytest.mark.parametrize("part", ["original", "versions/1/original"])
async def test_head_returns_the_headers_of_the_whole_file(api: Api, part: str) -> None:
    editor = await api.person()
    url = (await address(api, editor.headers)).removesuffix("original") + part
    whole = await api.client.get(url, headers=editor.headers)

    response = await api.client.head(url, headers={**editor.headers, "Range": "bytes=0-0"})

    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["content-length"] == str(len(CONTENT))
    assert response.headers["etag"] == whole.headers["etag"]
    assert response.headers["content-type"] == whole.headers["content-type"]
    assert (await api.client.head(url)).status_code == 401


@pytest.mark.parametrize(
    ("header", "start", "end"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=5-9", 5, 10),
        ("bytes=100-", 100, len(CONTENT)),
        ("bytes=-7", len(CONTENT) - 7, len(CONTENT)),
        ("bytes=5-99999999999", 5, len(CONTENT)),
    ],
)
async def test_range_is_returned(api: Api, header: str, start: int, end: int) -> None:
    editor = await api.person()
    response = await api.client.get(await address(api, editor.headers), headers={**editor.headers, "Range": header})
    assert (response.status_code, response.content) == (206, CONTENT[start:end])
    assert response.headers["content-range"] == f"bytes {start}-{end - 1}/{len(CONTENT)}"
    assert response.headers["accept-ranges"] == "bytes"


async def test_unsatisfiable_and_malformed_ranges(api: Api) -> None:
    editor = await api.person()
    url = await address(api, editor.headers)

    async def status(**headers: str) -> int:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return (await api.client.get(url, headers={**editor.headers, **named})).status_code

    beyond = await api.client.get(url, headers={**editor.headers, "Range": f"bytes={len(CONTENT)}-"})
    assert (beyond.status_code, beyond.json()["code"]) == (416, "invalid_range")
    assert beyond.headers["content-range"] == f"bytes */{len(CONTENT)}"
    assert await status(Range="bytes=-0") == 416
    for ignored in ("bytes=9-5", "bytes=a-b", "bytes=-", "lines=1-2", "bytes=0-1,5-6"):
        assert await status(Range=ignored) == 200


async def test_cached_client_gets_not_modified(api: Api) -> None:
    editor = await api.person()
    url = await address(api, editor.headers)
    tag = f'"{hashlib.sha256(CONTENT).hexdigest()}"'
    first = await api.client.get(url, headers=editor.headers)
    assert first.headers["etag"] == tag
    again = await api.client.get(url, headers={**editor.headers, "If-None-Match": f'"x", {tag}'})
    assert (again.status_code, again.content) == (304, b"")
    for weak_or_any in (f"W/{tag}", "*"):
        again = await api.client.get(url, headers={**editor.headers, "If-None-Match": weak_or_any})
        assert again.status_code == 304
    changed = {**editor.headers, "Range": "bytes=0-1", "If-Range": '"another"'}
    assert (await api.client.get(url, headers=changed)).status_code == 200


async def test_another_file_than_that_of_if_match_is_not_returned(api: Api) -> None:
    editor = await api.person()
    url = await address(api, editor.headers)
    tag = f'"{hashlib.sha256(CONTENT).hexdigest()}"'

    for same in (tag, f'"x", {tag}', "*"):
        wanted = await api.client.get(url, headers={**editor.headers, "If-Match": same, "Range": "bytes=0-1"})
        assert (wanted.status_code, wanted.content) == (206, CONTENT[:2])
    for other in ('"x"', f"W/{tag}"):
        headers = {**editor.headers, "If-Match": other, "If-None-Match": tag}  # If-Match is evaluated first
        refused = await api.client.get(url, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (412, "original_changed")


async def test_only_safe_types_are_displayed_inline(api: Api) -> None:
    editor = await api.person()
    text = await api.upload(editor.headers, b"text", filename="a.txt")
    markdown = await api.upload(editor.headers, b"# text", filename="a.md")
    kinds: list[str] = []
    for item in (text, markdown):
        url = f"/api/v1/documents/{item['document']['id']}/original"
        response = await api.client.get(url, params={"is_inline": True}, headers=editor.headers)
        kinds.append(response.headers["content-disposition"].split(";")[0])
    assert kinds == ["inline", "attachment"]


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 50))
def test_parsed_range_is_inside_the_file(first: int, last: int, size: int) -> None:
    for header in (f"bytes={first}-{last}", f"bytes={first}-", f"bytes=-{last}"):
        try:
            found = parse_range(header, size_bytes=size)
        except InvalidRange:
            continue
        if found is not None:
            assert 0 <= found.start < found.end <= size
