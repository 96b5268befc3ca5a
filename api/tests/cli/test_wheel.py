"""An installed package includes and serves the browser UI and the sample documents, without a clone or Node."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
API = REPOSITORY / "api"
# Runs with only the wheel's files on the path. Prints the API's responses and the number of samples.
ASK = """
import asyncio, json
import httpx
from lectern.app import create_app
from lectern.documents.uploads.manifest import find_samples, read_manifest
from lectern.settings import load_settings

async def ask():
    client = httpx.AsyncClient(transport=httpx.ASGITransport(create_app(load_settings())), base_url="http://a.test")
    async with client:
        return {path: [(r := await client.get(path, headers={"Accept": "text/html"})).status_code, r.text]
                for path in ("/", "/documents", "/assets/app.js")}

samples = find_samples(None)
print(json.dumps({"answers": asyncio.run(ask()), "samples": len(read_manifest(samples)) if samples else None}))
"""


def clone_of(folder: Path, *, has_ui: bool) -> Path:
    """Return a clone with a UI of two files."""
    shutil.copytree(API / "src", folder / "api" / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "hatch_build.py"):
        shutil.copy(API / name, folder / "api")
    shutil.copytree(REPOSITORY / "test-docs" / "documents", folder / "test-docs" / "documents")
    shutil.copy(REPOSITORY / "test-docs" / "manifest.json", folder / "test-docs")
    if has_ui:
        (folder / "frontend" / "dist" / "assets").mkdir(parents=True)
        (folder / "frontend" / "dist" / "index.html").write_text("<title>Lectern</title>")
        (folder / "frontend" / "dist" / "assets" / "app.js").write_text("start()")
    return folder


def build(project: Path, target: str) -> Path:
    """Build and return the only file in `dist`."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-m", "hatchling", "build", "-t", target]
    run = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    (built,) = (project / "dist").glob("*.whl" if target == "wheel" else "*.tar.gz")
    return built


def answers_of(wheel: Path, folder: Path) -> dict[str, object]:
    """Return the responses of the unpacked wheel's API."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "installed")
    environment = {"PYTHONPATH": str(folder / "installed"), "PATH": os.environ["PATH"]}
    run = subprocess.run(
        [sys.executable, "-P", "-c", ASK], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize("is_through_sdist", [False, True])
def test_wheel_serves_the_ui_it_was_built_with(tmp_path: Path, *, is_through_sdist: bool) -> None:
    project = clone_of(tmp_path / "clone", has_ui=True) / "api"
    if is_through_sdist:
        with tarfile.open(build(project, "sdist")) as archive:
            archive.extraction_filter = getattr(tarfile, "data_filter", None)  # from Python 3.11.4 on
            archive.extractall(tmp_path / "unpacked")
        (project,) = (tmp_path / "unpacked").iterdir()

    responses = answers_of(build(project, "wheel"), tmp_path)

    page = [200, "<title>Lectern</title>"]
    assert responses == {"answers": {"/": page, "/documents": page, "/assets/app.js": [200, "start()"]}, "samples": 15}


def test_wheel_without_a_built_ui_has_no_ui(tmp_path: Path) -> None:
    wheel = build(clone_of(tmp_path / "clone", has_ui=False) / "api", "wheel")

    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "lectern/app.py" in names
    assert not [name for name in names if "/ui/" in name]
