from collections.abc import AsyncGenerator

import pytest
from harness import held
from real_api import RealApi, real_api

from documents import POLICY, TRAVEL
from wheels import Installed, install_wheels


@pytest.fixture(scope="session")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RealApi]:
    documents = {POLICY: ("aml", "compliance"), TRAVEL: ("travel",)}
    async with held(real_api(tmp_path_factory.mktemp("api"), documents=documents)) as made:
        yield made


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return install_wheels(tmp_path_factory.mktemp("wheels"))
