"""docs/how-to/run-in-containers.md, followed word for word. The fixture `stack` types its first two commands.

`docker` is Docker, or podman-compose where there is no Docker. They run on this machine: a container with only podman
would have to build every image once more, which takes minutes.
"""

import re
from typing import Any

import pytest

from .conftest import GET_IT, PAGE, read_blocks

pytestmark = [pytest.mark.serial, pytest.mark.slow, pytest.mark.needs(GET_IT), pytest.mark.timeout(1800)]
COMMANDS = [block.text for block in read_blocks(PAGE) if block.language == "sh"]
# Other limits of memory, a setting, and what `docker` is here without Docker.
LEFT_OUT = ("docker compose --file", "DATABASE_REPLICA_URL", "podman-compose")


def test_its_first_commands_start_lectern_and_show_a_password(stack: Any, library: Any) -> None:
    assert COMMANDS[:2] == ["docker compose up --build --detach\n", "docker compose exec api lectern first-password\n"]
    assert re.fullmatch(r"[\w-]{20}", stack.password)
    assert library.count() >= 0  # the fixture has signed in with it


def test_its_other_commands_work(stack: Any) -> None:
    outputs = {command: stack.type(command) for command in COMMANDS[2:] if not command.startswith(LEFT_OUT)}
    settings = (stack.folder / ".env").read_bytes()
    (stack.folder / ".env").unlink()

    create_key, check, write_settings = outputs
    assert re.search(r"library +no defects", outputs[check]), outputs[check]
    assert re.search(r"^lk_\S{50,}$", outputs[create_key], re.MULTILINE)
    assert "keys create my-program --write" in create_key
    assert b"\n# LECTERN_PUBLIC_URL=" in settings, write_settings
    assert b"\r" not in settings
