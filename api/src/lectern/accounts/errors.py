"""Errors of users, API keys and permissions."""

from typing import ClassVar

from lectern.errors import Conflict, Forbidden, InvalidRequest, NotFound, RateLimited, Unauthorized


class InvalidCredentials(Unauthorized):
    """The e-mail address or the password is wrong."""

    code = "invalid_credentials"


class NotSignedIn(Unauthorized):
    """Sign in or send a valid API key."""

    code = "unauthorized"
    default_hint = "Send `Authorization: Bearer` with an access token or an API key, or sign in for a cookie."


class RefreshTokenReused(Unauthorized):
    """This session was revoked because its refresh token was used twice."""

    code = "refresh_token_reused"
    default_hint = "Sign in again. If it was not you, change your password, which revokes all other sessions."


class TooManySignIns(RateLimited):
    """Too many sign-in attempts failed."""

    code = "too_many_sign_ins"
    default_hint = "Wait `retry_after_seconds` before the next attempt."


class TooManyRequests(RateLimited):
    """Too many requests in a minute."""

    code = "rate_limited"


class ReadOnly(Forbidden):
    """You have read access only."""

    code = "read_only"
    default_hint = "Use a key created with `lectern keys create NAME --write`, or ask for write access."


class AdminsOnly(Forbidden):
    """Only administrators may do this."""

    code = "admins_only"


class PeopleOnly(Forbidden):
    """Only signed-in users may do this, not API keys."""

    code = "people_only"


class ServiceOnly(Forbidden):
    """Only services of this installation may do this."""

    code = "service_only"


class UserNotFound(NotFound):
    """No user has this id."""

    code = "user_not_found"


class ApiKeyNotFound(NotFound):
    """No API key has this id."""

    code = "api_key_not_found"


class EmailTaken(Conflict):
    """Another user has this e-mail address."""

    code = "email_taken"


class LastAdmin(Conflict):
    """This is the last active administrator."""

    code = "last_admin"
    default_hint = "Give another user the role `admin` first."


class WrongPassword(InvalidRequest):
    """The current password is wrong."""

    code = "wrong_password"


class ScopeNotYours(InvalidRequest):
    """A key cannot have more permissions than its creator."""

    status: ClassVar[int] = 422
    code = "scope_not_yours"
