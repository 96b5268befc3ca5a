import gc
from collections.abc import AsyncGenerator

import pytest
from harness import held
from real_api import RealApi, real_api

from documents import POLICY, TRAVEL
from wheels import Installed, install_wheels

# Importing the tests makes many objects and hardly any garbage.
gc.disable()


def pytest_collection_finish() -> None:
    """Spare the garbage collector the modules and tests, which stay until the end. Let it look less often."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


@pytest.fixture(scope="session")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RealApi]:
    documents = {POLICY: ("aml", "compliance"), TRAVEL: ("travel",)}
    async with held(real_api(tmp_path_factory.mktemp("api"), documents=documents)) as made:
        yield made


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return install_wheels(tmp_path_factory.mktemp("wheels"))
