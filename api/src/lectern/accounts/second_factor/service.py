"""Turn two-factor authentication on and off, and check codes. A code is accepted once."""

import logging
import time
import uuid
from typing import Final

from pydantic import SecretStr

from lectern.accounts.audit.service import record
from lectern.accounts.context import Accounts
from lectern.accounts.errors import (
    SecondFactorEnabled,
    SecondFactorNotEnabled,
    SecondFactorUnreadable,
    WrongCode,
)
from lectern.accounts.models import User
from lectern.accounts.principals import Principal
from lectern.accounts.reauthentication import count_attempt, require_password
from lectern.accounts.repository import reset_buckets
from lectern.accounts.second_factor import repository, totp
from lectern.accounts.second_factor.schemas import EnrolmentResponse, RecoveryCodesResponse, SecondFactorResponse
from lectern.accounts.tokens import hash_token
from lectern.accounts.users.service import get_user
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Session

logger: Final = logging.getLogger(__name__)


async def get_state(session: Session, principal: Principal) -> SecondFactorResponse:
    """Return the state of the caller's second factor."""
    user = await get_user(session, principal.require_person())
    return SecondFactorResponse(is_enabled=user.has_second_factor, recovery_codes_left=len(user.recovery_code_hashes))


async def begin(accounts: Accounts, principal: Principal, password: SecretStr) -> EnrolmentResponse:
    """Create a secret. It has no effect before a code confirms it.

    Raises:
        WrongPassword, TooManySignIns: See `require_password`.
        SecondFactorEnabled: It is on already.
    """
    user = await require_password(accounts, principal, password)
    if user.has_second_factor:
        raise SecondFactorEnabled
    secret = totp.new_secret()
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        await repository.store_secret(session, user.id, accounts.cipher.encrypt(secret))
    return EnrolmentResponse(secret=secret, uri=totp.provisioning_uri(secret, account=user.email))


async def confirm(accounts: Accounts, principal: Principal, code: str) -> RecoveryCodesResponse:
    """Turn it on with a code of the app. Raises WrongCode, SecondFactorEnabled, SecondFactorNotEnabled."""
    user_id = principal.require_person()
    await count_attempt(accounts, _bucket(user_id))
    codes = totp.new_recovery_codes()
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        user = await get_user(session, user_id, is_locked=True)
        if user.has_second_factor:
            raise SecondFactorEnabled
        if not await _use_time_code(accounts, session, user, totp.normalize_code(code)):
            raise WrongCode
        hashes = [hash_token(totp.normalize_code(made)) for made in codes]
        await repository.enable(session, user_id, recovery_code_hashes=hashes)
        await reset_buckets(session, _bucket(user_id))
        await record(session, principal.actor, action="second_factor.enable", target=f"user:{user_id}")
    return RecoveryCodesResponse(recovery_codes=codes)


async def disable(accounts: Accounts, principal: Principal, *, password: SecretStr, code: str) -> None:
    """Turn it off. Raises WrongPassword, WrongCode, TooManySignIns, SecondFactorNotEnabled."""
    user = await require_password(accounts, principal, password)
    if not user.has_second_factor:
        raise SecondFactorNotEnabled
    await use_code(accounts, user, code)
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        await repository.disable(session, user.id)
        await record(session, principal.actor, action="second_factor.disable", target=f"user:{user.id}")


async def reset(session: Session, principal: Principal, user_id: uuid.UUID) -> None:
    """Turn off the second factor of somebody who lost it. Raises UserNotFound."""
    await get_user(session, user_id)
    await repository.disable(session, user_id)
    await record(session, principal.actor, action="second_factor.reset", target=f"user:{user_id}")


async def use_code(accounts: Accounts, user: User, code: str) -> None:
    """Accept a code of the app or a recovery code, each once. Raises WrongCode, TooManySignIns.

    The attempt and a refusal are stored although an error follows.
    """
    await count_attempt(accounts, _bucket(user.id))
    normalized = totp.normalize_code(code)
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        if totp.is_time_code(normalized):
            is_accepted = await _use_time_code(accounts, session, user, normalized)
        else:
            is_accepted = await _use_recovery_code(session, user, normalized)
        if is_accepted:
            await reset_buckets(session, _bucket(user.id))
        else:
            await record(session, f"user:{user.id}", action="second_factor.refused", target=f"user:{user.id}")
    if not is_accepted:
        raise WrongCode


async def reencrypt_secrets(accounts: Accounts) -> None:
    """Encrypt all secrets with the current key, so that a previous key can be dropped."""
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        for user_id, encrypted in (await repository.list_secrets(session)).items():
            try:
                renewed = accounts.cipher.reencrypt(encrypted)
            except SecondFactorUnreadable as error:
                logger.warning("%s", error, extra={"user_id": str(user_id)})
                continue
            if renewed is not None:
                await repository.store_secret(session, user_id, renewed)


async def _use_time_code(accounts: Accounts, session: Session, user: User, code: str) -> bool:
    if user.totp_secret is None:
        raise SecondFactorNotEnabled
    step = totp.find_step(accounts.cipher.decrypt(user.totp_secret), code, at=time.time())
    return step is not None and await repository.use_step(session, user.id, step)


async def _use_recovery_code(session: Session, user: User, code: str) -> bool:
    left = await repository.use_recovery_code(session, user.id, hash_token(code))
    if left is not None:
        details = {"recovery_codes_left": left}
        actor = f"user:{user.id}"
        await record(session, actor, action="second_factor.use_recovery_code", target=actor, details=details)
    return left is not None


def _bucket(user_id: uuid.UUID) -> str:
    return f"second-factor:{user_id}"
