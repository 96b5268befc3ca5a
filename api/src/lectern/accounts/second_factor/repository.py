"""Read and change the second factors of users. System sessions only."""

import uuid

from sqlalchemy import func, select, text, update

from lectern.accounts.models import User
from lectern.db.session import Session

# Of two concurrent requests with a code, one gets no row.
_USE_STEP = text("UPDATE users SET totp_last_step = :step WHERE id = :id AND totp_last_step < :step RETURNING id")
_USE_RECOVERY_CODE = text("""
UPDATE users SET recovery_code_hashes = array_remove(recovery_code_hashes, CAST(:hash AS text))
WHERE id = :id AND :hash = ANY(recovery_code_hashes) RETURNING cardinality(recovery_code_hashes)
""")


async def store_secret(session: Session, user_id: uuid.UUID, encrypted: str) -> None:
    """Store an encrypted secret that is not confirmed yet."""
    await session.execute(update(User).where(User.id == user_id).values(totp_secret=encrypted))


async def enable(session: Session, user_id: uuid.UUID, *, recovery_code_hashes: list[str]) -> None:
    values = {"totp_confirmed_at": func.now(), "recovery_code_hashes": recovery_code_hashes}
    await session.execute(update(User).where(User.id == user_id).values(values))


async def disable(session: Session, user_id: uuid.UUID) -> None:
    cleared = update(User).where(User.id == user_id)
    cleared = cleared.values(totp_secret=None, totp_confirmed_at=None, totp_last_step=0, recovery_code_hashes=[])
    await session.execute(cleared)


async def use_step(session: Session, user_id: uuid.UUID, step: int) -> bool:
    """Mark the code of a time step as used. Return False if it or a later one was used before."""
    return (await session.execute(_USE_STEP, {"id": user_id, "step": step})).scalar_one_or_none() is not None


async def use_recovery_code(session: Session, user_id: uuid.UUID, code_hash: str) -> int | None:
    """Remove a recovery code. Return how many are left, or None if the user has no such code."""
    return (await session.execute(_USE_RECOVERY_CODE, {"id": user_id, "hash": code_hash})).scalar_one_or_none()


async def list_secrets(session: Session) -> dict[uuid.UUID, str]:
    """Return the encrypted secrets by user."""
    rows = await session.execute(select(User.id, User.totp_secret).where(User.totp_secret.is_not(None)))
    return {user_id: encrypted for user_id, encrypted in rows if encrypted is not None}
