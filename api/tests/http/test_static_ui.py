"""The UI and the REST page come from the API's own origin."""

import gzip
import re
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from lectern.app import create_app
from lectern.http.static_ui import find_ui
from lectern.settings import HttpSettings, Settings

HTML = {"Accept": "text/html,application/xhtml+xml"}


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ui") / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Lectern</title>")
    (folder / "assets" / "app-1a2b.js").write_text("export {};")
    (folder / "assets" / "app-1a2b.js.gz").write_bytes(gzip.compress(b"export {};"))
    (folder / "worker.mjs").write_text("export {};")
    (folder.parent / "secret.txt").write_text("not of the build")
    return folder


@pytest.fixture(scope="module")
def app(build: Path) -> FastAPI:
    """One application for all tests. They only read."""
    return create_app(Settings(http=HttpSettings(ui_dir=build)))


def client(app: FastAPI) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://lectern.test")


async def test_a_navigation_to_any_page_gets_the_index_uncached_under_the_policy(app: FastAPI) -> None:
    async with client(app) as http:
        for path in ("/", "/documents", "/documents/6f9619ff?page=2"):
            response = await http.get(path, headers=HTML)
            assert response.status_code == 200
            assert "<title>Lectern" in response.text
            assert response.headers["cache-control"] == "no-cache"
            assert "script-src 'self'" in response.headers["content-security-policy"]


async def test_hashed_files_are_cached_forever_and_compressed_if_accepted(app: FastAPI) -> None:
    async with client(app) as http:
        plain = await http.get("/assets/app-1a2b.js", headers={"Accept-Encoding": "identity"})
        packed = await http.get("/assets/app-1a2b.js", headers={"Accept-Encoding": "gzip, br"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert plain.text == packed.text == "export {};"
    assert "immutable" in packed.headers["cache-control"]
    assert packed.headers["content-type"].startswith("text/javascript")


async def test_modules_are_sent_as_javascript(app: FastAPI) -> None:
    async with client(app) as http:
        assert (await http.get("/worker.mjs")).headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/assets/gone.js"])
async def test_what_is_missing_stays_missing_even_to_a_browser(app: FastAPI, path: str) -> None:
    async with client(app) as http:
        response = await http.get(path, headers=HTML)
    assert response.status_code == 404
    assert response.json()["code"] == "route_not_found"


@pytest.mark.parametrize("path", ["/assets/%00", "/index.html%00.js", "/%00", f"/assets/{'x' * 3_000}"])
@pytest.mark.parametrize("accept", ["*/*", "text/html"])
async def test_path_that_cannot_be_a_file_is_not_found(app: FastAPI, path: str, accept: str) -> None:
    async with client(app) as http:
        response = await http.get(path, headers={"Accept": accept})
    assert (response.status_code, response.json()["code"]) == (404, "route_not_found")


@pytest.mark.parametrize("path", ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/../../secret.txt"])
async def test_nothing_outside_the_build_is_served(app: FastAPI, path: str) -> None:
    async with client(app) as http:
        response = await http.get(path)
    assert "not of the build" not in response.text


async def test_without_a_build_the_api_stands_alone(tmp_path: Path) -> None:
    assert find_ui(tmp_path) is None


async def test_the_docs_page_asks_no_other_origin(app: FastAPI) -> None:
    async with client(app) as http:
        page = await http.get("/docs", headers=HTML)
        assert "//" not in re.sub(r"<!doctype html>", "", page.text)
        for asset in re.findall(r'(?:src|href)="(/docs/[^"]+)"', page.text):
            assert (await http.get(asset)).status_code == 200
        assert (await http.get("/docs/assets/other.js")).status_code == 404
        head = await http.head("/docs")
        assert (head.status_code, head.content) == (200, b"")
        assert (await http.get("/openapi.json")).json()["info"]["title"] == "Lectern"


async def test_a_wrong_method_stays_a_wrong_method_beside_the_ui(app: FastAPI) -> None:
    async with client(app) as http:
        wrong = await http.put("/api/v1/tags")
        nowhere = await http.post("/documents", headers=HTML)
    assert (wrong.status_code, wrong.json()["code"]) == (405, "method_not_allowed")
    assert (nowhere.status_code, nowhere.json()["code"]) == (404, "route_not_found")


@pytest.mark.parametrize("accept", ["*/*", "application/json", "text/html"])
async def test_the_front_page_is_there_for_probes_and_previews_too(app: FastAPI, accept: str) -> None:
    async with client(app) as http:
        response = await http.get("/", headers={"Accept": accept})
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/html")
