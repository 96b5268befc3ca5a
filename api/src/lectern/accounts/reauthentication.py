"""Ask a signed-in user for the password again, and limit attempts."""

from pydantic import SecretStr

from lectern.accounts.context import Accounts
from lectern.accounts.errors import TooManySignIns, WithoutPassword, WrongPassword
from lectern.accounts.models import User
from lectern.accounts.principals import Principal
from lectern.accounts.repository import BucketSize, reset_buckets, take_token
from lectern.accounts.users import repository
from lectern.db.scope import SYSTEM_SCOPE
from lectern.errors import RateLimited

WINDOW_SECONDS = 900.0


async def count_attempt(accounts: Accounts, bucket: str, *, factor: int = 1, error: RateLimited | None = None) -> None:
    """Count an attempt in a separate transaction, because it must survive an error.

    `factor` times as many are allowed as for a password. Raises `error`, or TooManySignIns.
    """
    size = BucketSize(accounts.settings.login_attempts_per_15_minutes * factor, WINDOW_SECONDS)
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        is_allowed = await take_token(session, bucket, size) is not None
    if not is_allowed:
        error = error or TooManySignIns()
        error.details["retry_after_seconds"] = size.longest_wait_seconds
        raise error


async def require_password(accounts: Accounts, principal: Principal, password: SecretStr) -> User:
    """Return the user if the password is right. Raises WrongPassword, WithoutPassword, TooManySignIns."""
    user_id = principal.require_person()
    bucket = f"password:{user_id}"
    await count_attempt(accounts, bucket)
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        user = await repository.find(session, user_id)
    if user is not None and not user.has_password:
        raise WithoutPassword
    if user is None or not await accounts.passwords.verify(password, user.password_hash):
        raise WrongPassword
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        await reset_buckets(session, bucket)
    return user
