"""Sign users in and out, and refresh their sessions.

Sign-in and refresh run their own transactions, because used attempts and revoked sessions must survive an error.
"""

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import SecretStr

from lectern.accounts.audit.service import record
from lectern.accounts.context import Accounts
from lectern.accounts.errors import (
    ChallengeExpired,
    InvalidCredentials,
    NotSignedIn,
    RefreshTokenReused,
    SecondFactorRequired,
    SessionNotFound,
    TooManySignIns,
)
from lectern.accounts.keys.repository import revoke_keys_of_user
from lectern.accounts.models import User, UserSession
from lectern.accounts.principals import Principal
from lectern.accounts.reauthentication import WINDOW_SECONDS, require_password
from lectern.accounts.repository import BucketSize, delete_idle_buckets, reset_buckets, return_token, take_token
from lectern.accounts.schemas import UserResponse
from lectern.accounts.second_factor.service import use_code
from lectern.accounts.sessions.schemas import PasswordChange, SessionResponse
from lectern.accounts.sign_in.service import require_local_passwords
from lectern.accounts.tokens import TokenClaims, hash_token
from lectern.accounts.users import repository
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Session
from lectern.http.limits import client_block

_CHALLENGE_LIFE = timedelta(minutes=5)
_MAX_USER_AGENT = 400
# Limits per account and client, per client, and per account. The last one counts only clients that never signed in to
# the account. So others cannot lock its user out, however many addresses they have.
_CLIENT_FACTOR = 5
_ACCOUNT_FACTOR = 10


@dataclass(frozen=True, slots=True)
class Client:
    ip: str
    user_agent: str


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The tokens of a new or refreshed session."""

    user: UserResponse
    access_token: str
    refresh_token: str
    access_seconds: int
    refresh_seconds: int


async def sign_in(accounts: Accounts, *, email: str, password: SecretStr, client: Client) -> SignedIn:
    """Sign a user in.

    Raises:
        LocalPasswordsOff: Only single sign-on is allowed.
        InvalidCredentials: The address or the password is wrong.
        SecondFactorRequired: They are right. `sign_in_with_code` is the second step.
        TooManySignIns: Too many attempts failed.
    """
    buckets = _buckets(accounts, email=email, ip=client.ip)
    *_, of_account = buckets
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        await require_local_passwords(accounts, session)
        user = await repository.find_user_by_email(session, email)
        # An unknown account takes the same statements, so that it takes the same time.
        known_ips = await repository.list_ips(session, user.id if user else uuid.UUID(int=0))
        if client_block(client.ip) in map(client_block, known_ips):
            del buckets[of_account]
        is_allowed = await _take_attempt(session, buckets)
    if not is_allowed:
        wait = max(size.longest_wait_seconds for size in buckets.values())
        raise TooManySignIns(details={"retry_after_seconds": wait})
    is_right = await accounts.passwords.verify(password, user.password_hash if user else None)
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        if user is None or not is_right or not user.is_active:
            await record(session, "anonymous", action="session.refused", target=f"email:{email}"[:300])
        else:
            if user.password_hash and accounts.passwords.is_outdated(user.password_hash):
                await repository.set_password_hash(session, user.id, await accounts.passwords.hash(password))
            if not user.has_second_factor:
                return await _begin(accounts, session, user=user, client=client)
    if user is None or not is_right or not user.is_active:
        raise InvalidCredentials
    raise SecondFactorRequired(details=_challenge(accounts, user.id))


def _challenge(accounts: Accounts, user_id: uuid.UUID) -> dict[str, Any]:
    """Return a token that proves that the password was right. It opens no session."""
    claims = TokenClaims(user_id=user_id, session_id=uuid.uuid4())
    token = accounts.tokens.sign(claims, audience="lectern:challenge", now=datetime.now(UTC), life=_CHALLENGE_LIFE)
    return {"challenge_token": token, "expires_in_seconds": int(_CHALLENGE_LIFE.total_seconds())}


async def sign_in_with_code(accounts: Accounts, *, challenge_token: SecretStr, code: str, client: Client) -> SignedIn:
    """Sign a user in who gave the password before. Raises ChallengeExpired, WrongCode, TooManySignIns."""
    claims = accounts.tokens.read(challenge_token.get_secret_value(), audience="lectern:challenge")
    if claims is None:
        raise ChallengeExpired
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        await require_local_passwords(accounts, session)
        user = await repository.find(session, claims.user_id)
    if user is None or not user.is_active or not user.has_second_factor:
        raise ChallengeExpired
    await use_code(accounts, user, code)
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        return await _begin(accounts, session, user=user, client=client)


def _buckets(accounts: Accounts, *, email: str, ip: str) -> dict[str, BucketSize]:
    attempts = accounts.settings.login_attempts_per_15_minutes
    account, block = hash_token(email)[:32], client_block(ip)
    return {
        f"sign-in:{account}:{block}": BucketSize(attempts, WINDOW_SECONDS),
        f"sign-in:client:{block}": BucketSize(attempts * _CLIENT_FACTOR, WINDOW_SECONDS),
        f"sign-in:account:{account}": BucketSize(attempts * _ACCOUNT_FACTOR, WINDOW_SECONDS),
    }


async def _take_attempt(session: Session, buckets: dict[str, BucketSize]) -> bool:
    """Count an attempt, also if it is refused. Buckets are locked in one order to avoid deadlocks."""
    for key in sorted(buckets):
        if await take_token(session, key, buckets[key]) is None:
            return False
    return True


async def _begin(accounts: Accounts, session: Session, *, user: User, client: Client) -> SignedIn:
    of_pair, of_client, of_account = _buckets(accounts, email=user.email, ip=client.ip)
    await reset_buckets(session, of_pair, of_account)
    await return_token(session, of_client)
    return await open_session(accounts, session, user=user, client=client)


async def open_session(
    accounts: Accounts, session: Session, *, user: User, client: Client, id_token: str | None = None
) -> SignedIn:
    """Open a session of a user who has been authenticated. `id_token` is that of single sign-on."""
    claims = TokenClaims(user_id=user.id, session_id=uuid.uuid4())
    signed_in = _issue(accounts, claims, UserResponse.model_validate(user))
    session.add(
        UserSession(
            id=claims.session_id,
            user_id=user.id,
            refresh_hash=hash_token(signed_in.refresh_token),
            expires_at=datetime.now(UTC) + timedelta(seconds=signed_in.refresh_seconds),
            user_agent=client.user_agent[:_MAX_USER_AGENT],
            ip=client.ip,
            is_single_sign_on=id_token is not None,
            id_token=accounts.cipher.encrypt(id_token) if id_token else None,
        )
    )
    await session.flush()
    await repository.set_sign_in_time(session, user.id)
    details = {"single_sign_on": True} if id_token else {}
    target = f"session:{claims.session_id}"
    await record(session, f"user:{user.id}", action="session.create", target=target, details=details)
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

    A reused token may be stolen, so it revokes the session. Raises NotSignedIn, RefreshTokenReused.
    """
    claims = accounts.tokens.read(refresh_token, audience="lectern:refresh")
    if claims is None:
        raise NotSignedIn
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        user = await repository.find(session, claims.user_id)
        if user is None or not user.is_active:
            raise NotSignedIn
        signed_in = _issue(accounts, claims, UserResponse.model_validate(user))
        rotated = await repository.rotate_refresh_token(
            session,
            session_id=claims.session_id,
            old_hash=hash_token(refresh_token),
            new_hash=hash_token(signed_in.refresh_token),
            expires_at=datetime.now(UTC) + timedelta(seconds=signed_in.refresh_seconds),
        )
        if rotated is not None:
            return signed_in
        was_active = await repository.revoke_session(session, claims.session_id)
        if was_active:
            target = f"session:{claims.session_id}"
            await record(session, f"user:{user.id}", action="session.reuse_detected", target=target)
    raise RefreshTokenReused if was_active else NotSignedIn


async def sign_out(accounts: Accounts, access_token: str, *, return_to: str) -> str | None:
    """Revoke the session of an access token, also if it has expired. Invalid tokens are ignored.

    Return the address that ends the session at the identity provider, if there is one.
    """
    claims = accounts.tokens.read(access_token, audience="lectern:access", is_expiry_checked=False)
    if claims is None:
        return None
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        row = await repository.find_session(session, claims.session_id)
        if await repository.revoke_session(session, claims.session_id):
            target = f"session:{claims.session_id}"
            await record(session, f"user:{claims.user_id}", action="session.delete", target=target)
    if row is None or not row.is_single_sign_on or accounts.provider is None:
        return None
    id_token = accounts.cipher.find_decrypted(row.id_token) if row.id_token else None
    return await accounts.provider.build_sign_out_url(id_token=id_token, redirect_uri=return_to)


async def end_session(session: Session, principal: Principal, session_id: uuid.UUID) -> None:
    """Revoke one session of the user. Raises SessionNotFound."""
    if not await repository.revoke_session(session, session_id, user_id=principal.require_person()):
        raise SessionNotFound
    await record(session, principal.actor, action="session.delete", target=f"session:{session_id}")


async def sign_out_everywhere(session: Session, principal: Principal, *, revoke_keys: bool) -> None:
    """Revoke all sessions of the user, including this one, and the API keys if asked to."""
    user_id = principal.require_person()
    details = {"sessions": await repository.revoke_sessions(session, user_id)}
    if revoke_keys:
        details["revoked_keys"] = await revoke_keys_of_user(session, user_id)
    await record(session, principal.actor, action="session.delete_all", target=f"user:{user_id}", details=details)


async def has_password(accounts: Accounts, principal: Principal) -> bool | None:
    """Return whether the user has a password, or None for an API key."""
    if principal.kind != "user":
        return None
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        user = await repository.find(session, principal.id)
    return user is not None and user.has_password


async def change_password(accounts: Accounts, principal: Principal, *, wanted: PasswordChange) -> None:
    """Replace the password and revoke all other sessions. Raises WrongPassword, BreachedPassword."""
    user = await require_password(accounts, principal, wanted.current_password)
    user_id, email = user.id, user.email
    password_hash = await accounts.hash_new_password(wanted.new_password, email=email)
    async with accounts.database.session(SYSTEM_SCOPE) as session:
        await repository.set_password_hash(session, user_id, password_hash)
        await repository.revoke_sessions(session, user_id, except_id=principal.session_id)
        details = {"revoked_keys": await revoke_keys_of_user(session, user_id)} if wanted.revoke_keys else {}
        target = f"user:{user_id}"
        await record(session, principal.actor, action="user.change_password", target=target, details=details)


async def list_sessions(session: Session, principal: Principal) -> list[SessionResponse]:
    """List the active sessions of the user, the last used first."""
    sessions = await repository.list_active_sessions(session, principal.require_person())
    return [SessionResponse.from_row(row, is_current=row.id == principal.session_id) for row in sessions]
