"""Watched folders over REST: for administrators, below named directories, off by default."""

from pathlib import Path

from benchmarks.throwaway import ThrowawayDatabase
from tests.api import LIBRARY, api_settings, open_api

from lectern.settings import FoldersSettings

ADDRESS = f"/api/v1/collections/{LIBRARY}"


async def test_watching_is_off_until_directories_are_named(database: ThrowawayDatabase, tmp_path: Path) -> None:
    async with open_api(api_settings(database, tmp_path)) as api:
        admin = await api.person("admin")

        refused = await api.client.put(f"{ADDRESS}/folder", json={"path": str(tmp_path)}, headers=admin.headers)

        assert refused.status_code == 403
        assert refused.json()["code"] == "folders_off"
        assert "LECTERN_FOLDER_ROOTS" in refused.json()["hint"]
        facts = await api.client.get("/api/v1/system", headers=admin.headers)
        assert facts.json()["folder_roots"] == []


async def test_an_administrator_binds_a_folder_ingests_it_and_lets_it_go(
    database: ThrowawayDatabase, tmp_path: Path
) -> None:
    settings = api_settings(database, tmp_path)
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.txt").write_text("Some text.")
    settings.folders = FoldersSettings(roots=[tmp_path / "files"])
    async with open_api(settings) as api:
        admin, editor = await api.person("admin"), await api.person("editor")
        folder = {"path": str(tmp_path / "files")}

        outside = await api.client.put(f"{ADDRESS}/folder", json={"path": "/etc"}, headers=admin.headers)
        assert (outside.status_code, outside.json()["code"]) == (422, "folder_outside")
        for method, path, body in (
            ("PUT", "folder", folder),
            ("GET", "folder", None),
            ("POST", "ingest", {"confirm_prune": True}),
        ):
            answer = await api.client.request(method, f"{ADDRESS}/{path}", json=body, headers=editor.headers)
            assert answer.status_code == 403
        bound = await api.client.put(f"{ADDRESS}/folder", json=folder, headers=admin.headers)
        assert bound.json()["is_scan_requested"]
        facts = await api.client.get("/api/v1/system", headers=admin.headers)
        assert facts.json()["folder_roots"] == [folder["path"]]

        plan = await api.client.post(f"{ADDRESS}/ingest", json={"dry_run": True}, headers=admin.headers)
        assert (plan.json()["added"], plan.json()["is_dry_run"]) == (["a.txt"], True)
        assert await api.sql("SELECT FROM documents") == []
        done = await api.client.post(f"{ADDRESS}/ingest", json={}, headers=admin.headers)
        assert done.json()["added_count"] == 1
        shown = (await api.client.get(f"{ADDRESS}/folder", headers=admin.headers)).json()
        assert (shown["file_count"], shown["last_outcome"]["added"]) == (1, ["a.txt"])

        assert (await api.client.delete(f"{ADDRESS}/folder", headers=admin.headers)).status_code == 204
        assert (await api.client.get(f"{ADDRESS}/folder", headers=admin.headers)).json() is None
        assert len(await api.sql("SELECT FROM documents")) == 1


async def test_a_mistyped_path_is_an_error_of_the_request_and_a_lost_folder_is_not(
    database: ThrowawayDatabase, tmp_path: Path
) -> None:
    settings = api_settings(database, tmp_path)
    folder = tmp_path / "files"
    folder.mkdir()
    settings.folders = FoldersSettings(roots=[tmp_path])
    async with open_api(settings) as api:
        admin = await api.person("admin")

        async def bind(path: Path) -> tuple[int, str, str]:
            answer = await api.client.put(f"{ADDRESS}/folder", json={"path": str(path)}, headers=admin.headers)
            problem = answer.json()
            return answer.status_code, problem.get("code", ""), problem.get("detail", "")

        mistyped = tmp_path / "flies"
        status, code, detail = await bind(mistyped)
        assert (status, code) == (422, "folder_not_found")
        assert detail == f"{mistyped} cannot be found."
        assert (await bind(folder))[0] == 200
        folder.rmdir()
        assert (await bind(mistyped))[:2] == (422, "folder_not_found")
        assert (await bind(folder))[:2] == (503, "folder_gone")


async def test_who_may_change_a_collection_may_have_its_folder_looked_through(
    database: ThrowawayDatabase, tmp_path: Path
) -> None:
    settings = api_settings(database, tmp_path)
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.txt").write_text("Some text.")
    settings.folders = FoldersSettings(roots=[tmp_path / "files"])
    async with open_api(settings) as api:
        admin, editor, reader = [await api.person(role) for role in ("admin", "editor", "reader")]
        await api.client.put(f"{ADDRESS}/folder", json={"path": str(tmp_path / "files")}, headers=admin.headers)

        refused = await api.client.post(f"{ADDRESS}/ingest", json={}, headers=reader.headers)
        done = await api.client.post(f"{ADDRESS}/ingest", json={}, headers=editor.headers)

        assert (refused.status_code, refused.json()["code"]) == (403, "read_only")
        assert done.json()["added"] == ["a.txt"]
