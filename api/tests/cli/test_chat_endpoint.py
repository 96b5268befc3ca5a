"""Commands answer with the chat endpoint of the running `lectern up`."""

import json
import stat
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from tests.answers.chat_server import chat_server, found, source_of
from tests.cli.running import READY, StartUp, lectern

from lectern.cli.chat_endpoint import find_served_endpoint, follow_served_endpoint, recorded
from lectern.embedded.data_folder import DataFolder
from lectern.settings import AnswersSettings

FEE = "The fee of Quercialta is 20 euro."
KEY = "sk-of-the-endpoint"
SERVED = AnswersSettings(base_url="http://127.0.0.1:11434/v1", model="qwen3:8b", vision_pages=2)


def test_ask_answers_with_the_model_of_the_running_server(start_up: StartUp, tmp_path: Path) -> None:
    def say(body: dict[str, Any]) -> dict[str, Any]:
        return found((FEE, [source_of(body, FEE)]))

    (tmp_path / "fees.txt").write_text(f"{FEE}\n")
    with chat_server(say) as server:
        chat = {"LECTERN_ANSWERS_BASE_URL": server.url, "LECTERN_ANSWERS_MODEL": "m", "LECTERN_ANSWERS_API_KEY": KEY}
        up = start_up("endpoint", environment=chat)
        up.wait_for(READY)
        place = ("--data-dir", str(up.data))
        assert lectern("ingest", "--wait", str(tmp_path / "fees.txt"), *place).returncode == 0
        question = ("ask", "--json", "What is the fee of Quercialta?", *place)
        without_key = lectern(*question)
        with_key = lectern(*question, environment={"LECTERN_ANSWERS_API_KEY": KEY})

        assert json.loads(without_key.stdout)["metadata"]["mode"] == "extractive"
        assert "The running Lectern answers with the model m. This command lacks its API key" in without_key.stderr
        assert json.loads(with_key.stdout)["metadata"]["mode"] == "model"
        assert json.loads(with_key.stdout)["data"]["answer"] == FEE
        assert "The model m answers, as in the running Lectern." in with_key.stderr
        assert {request["authorization"] for request in server.requests} == {f"Bearer {KEY}"}
        assert up.stop() == 0

    stopped = lectern(*question, environment={"LECTERN_ANSWERS_API_KEY": KEY})
    assert json.loads(stopped.stdout)["metadata"]["mode"] == "extractive"
    assert stopped.stderr == ""


def test_endpoint_is_recorded_without_its_key_while_the_server_runs(tmp_path: Path) -> None:
    folder, file = DataFolder(tmp_path), tmp_path / "chat-endpoint.json"
    with folder, recorded(SERVED.model_copy(update={"api_key": SecretStr(KEY)}), folder):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert KEY not in file.read_text()
        own = AnswersSettings()
        assert follow_served_endpoint(own, tmp_path) == own
        with_key = follow_served_endpoint(AnswersSettings(api_key=SecretStr(KEY)), tmp_path)
        assert (with_key.base_url, with_key.model) == (SERVED.base_url, SERVED.model)
    assert not file.exists()


def test_endpoint_without_a_key_is_used_as_it_is(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    with folder, recorded(SERVED, folder):
        assert follow_served_endpoint(AnswersSettings(), tmp_path) == SERVED
        other = AnswersSettings(base_url="http://127.0.0.1:1234/v1", model="m")
        assert follow_served_endpoint(other, tmp_path) == other


def test_endpoint_of_a_killed_server_is_not_used(tmp_path: Path) -> None:
    folder, own = DataFolder(tmp_path), AnswersSettings()
    with recorded(SERVED, folder):
        assert find_served_endpoint(own, tmp_path) is None
        with folder:
            assert find_served_endpoint(own, tmp_path) is not None
            with recorded(own, folder):  # the next start, without an endpoint
                assert find_served_endpoint(own, tmp_path) is None
