"""`lectern openapi`: the description of the REST API."""

import json
from typing import Any, Final

from pydantic import SecretStr

from lectern.settings import AccountsSettings, DatabaseSettings, Settings

PLACEHOLDER: Final = SecretStr("never-used-for-anything-but-the-description")


def openapi() -> None:
    """Print the OpenAPI description. Needs no database and no secret."""
    print(json.dumps(description(), ensure_ascii=False, indent=2, sort_keys=True))


def description() -> dict[str, Any]:
    """Return the OpenAPI description of the REST API without connecting to anything."""
    from lectern.app import create_app

    settings = Settings(
        database=DatabaseSettings(url=SecretStr("postgresql://localhost/never-connected-to")),
        accounts=AccountsSettings(jwt_secret_key=PLACEHOLDER, backend_api_key=PLACEHOLDER),
    )
    return create_app(settings).openapi()
