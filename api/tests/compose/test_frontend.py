"""The browser UI in its container: files as the API itself serves them, and everything else at the same address."""

import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import pytest

from lectern.http.middleware import SECURITY_HEADERS

ROOT = Path(__file__).parents[3]
DOCUMENTS = ROOT / "test-docs" / "documents"
POLICY = DOCUMENTS / "travel-and-expenses-policy.pdf"
QUESTION, ANSWER = "hotel limit per night in London", ("travel-and-expenses-policy.pdf", 3)
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Encoding": "gzip, br"}

in_containers = [
    pytest.mark.serial,
    pytest.mark.slow,
    pytest.mark.needs("Docker with its compose plugin, or podman with podman-compose"),
    pytest.mark.timeout(1800),
]


def marked(function: Any) -> Any:
    for mark in in_containers:
        function = mark(function)
    return function


@pytest.fixture
def browser(stack: Any) -> Generator[httpx.Client]:
    with httpx.Client(base_url=stack.ui_url, headers=BROWSER, timeout=60) as client:
        yield client


def has_security_headers(answer: httpx.Response) -> bool:
    """Each once: not the proxy's beside the API's."""
    return {name: answer.headers.get_list(name) for name in SECURITY_HEADERS} == {
        name: [value] for name, value in SECURITY_HEADERS.items()
    }


def test_its_security_headers_are_those_of_the_api() -> None:
    text = (ROOT / "frontend" / "nginx" / "security-headers.conf").read_text(encoding="utf-8")

    assert dict(re.findall(r'^add_header (\S+) "(.*)" always;$', text, re.MULTILINE)) == dict(SECURITY_HEADERS)


@marked
def test_the_index_answers_every_page_and_no_other_request(browser: httpx.Client) -> None:
    for page in ("/", "/documents", "/documents/4711?page=3", "/index.html"):
        answer = browser.get(page)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8"), page
        assert '<div id="root">' in answer.text
        assert answer.headers["cache-control"] == "no-cache"
        assert has_security_headers(answer)
    for path, headers in (
        ("/documents", {"Accept": "application/json"}),
        ("/assets/absent.js", BROWSER),
        ("/index.html.gz", BROWSER),
        ("/index.html.br", BROWSER),
    ):
        answer = browser.get(path, headers=headers)
        assert answer.status_code == 404, path


@marked
def test_files_are_compressed_typed_and_cached_by_the_browser(browser: httpx.Client) -> None:
    scripts = re.findall(r'(?:src|href)="(/assets/[^"]+\.(?:js|css))"', browser.get("/").text)
    assert scripts
    for script in scripts:
        answer = browser.get(script)
        expected = "text/css; charset=utf-8" if script.endswith(".css") else "text/javascript; charset=utf-8"
        assert (answer.status_code, answer.headers["content-type"]) == (200, expected)
        if len(answer.content) > 4_096:  # small ones are not worth it
            assert answer.headers["content-encoding"] == "gzip"
            assert answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert has_security_headers(answer)


@marked
def test_the_api_answers_at_the_same_address(browser: httpx.Client) -> None:
    answer = browser.get("/api/v1/nothing")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
    assert has_security_headers(answer)
    chat = browser.get("/v1/nothing", headers={"Accept": "text/html"})
    assert (chat.status_code, chat.json()["error"]["code"]) == (404, "route_not_found")
    assert browser.get("/docs").status_code == 200
    assert browser.get("/openapi.json").json()["info"]["title"] == "Lectern"


@marked
def test_uploads_events_and_mcp_pass_through(stack: Any, library: Any) -> None:
    document_id = library.upload(POLICY)
    library.wait_until_ready(document_id)
    assert library.search(QUESTION)[0] == ANSWER
    assert library.search_over_mcp(QUESTION, url=f"{stack.ui_url}/mcp")[0] == ANSWER
    assert library.first_event()


@marked
def test_a_large_file_is_not_refused_by_the_proxy(library: Any, tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    large.write_text("A line of a large file.\n" * 200_000)
    document_id = library.upload(large)
    assert library.document(document_id)["size_bytes"] == large.stat().st_size
