"""Signing in, staying signed in, signing out.

These run transactions of their own: what a refusal notes (a used-up try, a revoked sign-in) must outlive it.
"""

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from pydantic import SecretStr

from lectern.accounts.audit.service import record
from lectern.accounts.context import Accounts
from lectern.accounts.errors import InvalidCredentials, NotSignedIn, RefreshTokenReused, TooManySignIns, WrongPassword
from lectern.accounts.limits import BucketSize
from lectern.accounts.principals import Principal
from lectern.accounts.repository import delete_idle_buckets, reset_buckets, take_token
from lectern.accounts.schemas import UserResponse
from lectern.accounts.sessions import repository
from lectern.accounts.sessions.schemas import SessionResponse
from lectern.accounts.tokens import TokenClaims, token_hash
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Session

_WINDOW_SECONDS = 900.0
# Tries for one account from one client, for one client, for one account: the last is wide, so that a stranger
# cannot lock somebody out from one address.
_CLIENT_FACTOR = 5
_ACCOUNT_FACTOR = 10


@dataclass(frozen=True, slots=True)
class Client:
    """Where a request comes from."""

    ip: str
    user_agent: str


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The outcome of signing in or refreshing."""

    user: UserResponse
    access_token: str
    refresh_token: str
    access_seconds: int
    refresh_seconds: int


async def sign_in(accounts: Accounts, *, email: str, password: SecretStr, client: Client) -> SignedIn:
    """Raises InvalidCredentials, TooManySignIns."""
    buckets = _buckets(accounts, email=email, ip=client.ip)
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        is_allowed = await _take_try(session, buckets)
        user = await repository.find_user_by_email(session, email)
    if not is_allowed:
        wait = max(size.longest_wait_seconds for size in buckets.values())
        raise TooManySignIns(details={"retry_after_seconds": wait})
    is_right = await accounts.passwords.verify(password, user.password_hash if user else None)
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        if user is None or not is_right or not user.is_active:
            await record(session, "anonymous", action="session.refused", target=f"email:{email}"[:300])
        else:
            if accounts.passwords.is_outdated(user.password_hash):
                await repository.set_password_hash(session, user.id, await accounts.passwords.hash(password))
            await reset_buckets(session, *buckets)
            return await _begin(accounts, session, user=UserResponse.model_validate(user), client=client)
    raise InvalidCredentials


def _buckets(accounts: Accounts, *, email: str, ip: str) -> dict[str, BucketSize]:
    tries = accounts.settings.login_attempts_per_15_minutes
    account = token_hash(email)[:32]
    return {
        f"sign-in:{account}:{ip}": BucketSize(tries, _WINDOW_SECONDS),
        f"sign-in:client:{ip}": BucketSize(tries * _CLIENT_FACTOR, _WINDOW_SECONDS),
        f"sign-in:account:{account}": BucketSize(tries * _ACCOUNT_FACTOR, _WINDOW_SECONDS),
    }


async def _take_try(session: Session, buckets: dict[str, BucketSize]) -> bool:
    """A refused try counts too. Buckets are locked in one order, whoever asks."""
    for key in sorted(buckets):
        if await take_token(session, key, buckets[key]) is None:
            return False
    return True


async def _begin(accounts: Accounts, session: Session, *, user: UserResponse, client: Client) -> SignedIn:
    claims = TokenClaims(user_id=user.id, session_id=uuid.uuid4())
    signed_in = _issue(accounts, claims, user)
    await repository.add(
        session,
        session_id=claims.session_id,
        user_id=user.id,
        refresh_hash=token_hash(signed_in.refresh_token),
        expires_at=datetime.now(UTC) + timedelta(seconds=signed_in.refresh_seconds),
        user_agent=client.user_agent,
        ip=client.ip,
    )
    await record(session, f"user:{user.id}", action="session.create", target=f"session:{claims.session_id}")
    await delete_idle_buckets(session)
    return signed_in


def _issue(accounts: Accounts, claims: TokenClaims, user: UserResponse) -> SignedIn:
    now = datetime.now(UTC)
    access = timedelta(minutes=accounts.settings.access_token_minutes)
    refresh = timedelta(days=accounts.settings.refresh_token_days)
    return SignedIn(
        user=user,
        access_token=accounts.tokens.sign(claims, audience="lectern:access", now=now, life=access),
        refresh_token=accounts.tokens.sign(claims, audience="lectern:refresh", now=now, life=refresh),
        access_seconds=int(access.total_seconds()),
        refresh_seconds=int(refresh.total_seconds()),
    )


async def refresh(accounts: Accounts, refresh_token: str) -> SignedIn:
    """Exchange a refresh token for new tokens.

    A token that was exchanged before is in two hands: the whole sign-in ends. Raises NotSignedIn, RefreshTokenReused.
    """
    claims = accounts.tokens.read(refresh_token, audience="lectern:refresh")
    if claims is None:
        raise NotSignedIn
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        user = await repository.find_user(session, claims.user_id)
        if user is None or not user.is_active:
            raise NotSignedIn
        signed_in = _issue(accounts, claims, UserResponse.model_validate(user))
        rotated = await repository.rotate(
            session,
            session_id=claims.session_id,
            old_hash=token_hash(refresh_token),
            new_hash=token_hash(signed_in.refresh_token),
            expires_at=datetime.now(UTC) + timedelta(seconds=signed_in.refresh_seconds),
        )
        if rotated is not None:
            return signed_in
        was_standing = await repository.revoke(session, claims.session_id)
        if was_standing:
            target = f"session:{claims.session_id}"
            await record(session, f"user:{user.id}", action="session.reuse_detected", target=target)
    raise RefreshTokenReused if was_standing else NotSignedIn


async def sign_out(accounts: Accounts, access_token: str) -> None:
    """End the sign-in of a token, expired or not; a token that is none of ours is ignored."""
    claims = accounts.tokens.read(access_token, audience="lectern:access", is_expiry_checked=False)
    if claims is None:
        return
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        if await repository.revoke(session, claims.session_id):
            target = f"session:{claims.session_id}"
            await record(session, f"user:{claims.user_id}", action="session.delete", target=target)


async def sign_out_everywhere(session: Session, principal: Principal) -> int:
    """End every sign-in of the person, this one included; how many there were."""
    user_id = principal.require_person()
    count = await repository.revoke_all(session, user_id)
    details = {"sessions": count}
    await record(session, principal.actor, action="session.delete_all", target=f"user:{user_id}", details=details)
    return count


async def change_password(
    accounts: Accounts, principal: Principal, *, current_password: SecretStr, new_password: SecretStr
) -> None:
    """Replace the password and end every other sign-in. Raises WrongPassword, TooManySignIns."""
    user_id = principal.require_person()
    size = BucketSize(accounts.settings.login_attempts_per_15_minutes, _WINDOW_SECONDS)
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        is_allowed = await take_token(session, f"password:{user_id}", size) is not None
        user = await repository.find_user(session, user_id)
    if not is_allowed:
        raise TooManySignIns(details={"retry_after_seconds": size.longest_wait_seconds})
    if user is None or not await accounts.passwords.verify(current_password, user.password_hash):
        raise WrongPassword
    password_hash = await accounts.passwords.hash(new_password)
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        await repository.set_password_hash(session, user_id, password_hash)
        await repository.revoke_all(session, user_id, except_id=principal.session_id)
        await reset_buckets(session, f"password:{user_id}")
        await record(session, principal.actor, action="user.change_password", target=f"user:{user_id}")


async def list_sessions(session: Session, principal: Principal) -> list[SessionResponse]:
    """The person's sign-ins that stand, the latest used first."""
    standing = await repository.list_standing(session, principal.require_person())
    return [
        SessionResponse.model_validate(
            {
                "id": row.id,
                "user_agent": row.user_agent,
                "ip": row.ip,
                "created_at": row.created_at,
                "refreshed_at": row.refreshed_at,
                "expires_at": row.expires_at,
                "is_current": row.id == principal.session_id,
            }
        )
        for row in standing
    ]
