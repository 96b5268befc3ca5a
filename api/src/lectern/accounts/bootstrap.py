"""Create the first administrator and the environment's key before the first request."""

import logging

from pydantic import ValidationError

from lectern.accounts.context import Accounts
from lectern.accounts.errors import BreachedPassword, EmailTaken
from lectern.accounts.keys.service import sync_environment_key
from lectern.accounts.schemas import UserCreate
from lectern.accounts.second_factor.service import reencrypt_secrets
from lectern.accounts.users import repository
from lectern.accounts.users.service import create_user
from lectern.db.scope import SYSTEM_SCOPE
from lectern.errors import Misconfigured, describe_invalid
from lectern.settings.secret_files import generated_file

logger = logging.getLogger(__name__)


async def prepare_accounts(accounts: Accounts) -> None:
    """Create what is missing. Safe to run in several processes at once. Raises Misconfigured."""
    await ensure_first_admin(accounts)
    await reencrypt_secrets(accounts)
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        await sync_environment_key(session, accounts.settings.mcp_api_key)


async def ensure_first_admin(accounts: Accounts) -> bool:
    """Create the administrator of ADMIN_EMAIL and ADMIN_PASSWORD if there is no user. Return True if it was created.

    Raises:
        Misconfigured: There is no user, and the settings are missing or invalid.
    """
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        if await repository.has_users(session):
            return False
    wanted = _first_admin(accounts)
    try:
        async with accounts.database.session(SYSTEM_SCOPE) as session:
            await create_user(session, "system", wanted=wanted, accounts=accounts)
    except EmailTaken:  # Another process was faster.
        return False
    except BreachedPassword as error:
        raise Misconfigured(
            "ADMIN_PASSWORD is in a list of stolen passwords, or is the address.", hint=error.hint
        ) from error
    logger.info(_created_message(accounts, wanted.email))
    return True


def _created_message(accounts: Accounts, email: str) -> str:
    """Return the log line for a new administrator. The password is not in it: logs are copied and kept."""
    generated = generated_file("ADMIN_PASSWORD")
    if generated is None or not generated.stat().st_size:
        return f"The first administrator was created: {email}"
    return (
        f"Sign in at {accounts.http.public_url} as {email}."
        " Show the password once: docker compose exec api lectern first-password"
    )


def _first_admin(accounts: Accounts) -> UserCreate:
    email, password = accounts.settings.admin_email, accounts.settings.admin_password
    if not email or password is None:
        missing = "ADMIN_EMAIL" if not email else "ADMIN_PASSWORD"
        raise Misconfigured(f"{missing} is not set, and there is no user yet.", hint=f"Set {missing} and start again.")
    try:
        return UserCreate(email=email, password=password, name="Administrator", role="admin")
    except ValidationError as error:
        wrong = "ADMIN_EMAIL" if error.errors()[0]["loc"][:1] == ("email",) else "ADMIN_PASSWORD"
        reason = describe_invalid(error.errors()[0])[1].rstrip(".")
        raise Misconfigured(f"{wrong} cannot be used: {reason}.") from None
