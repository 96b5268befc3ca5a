"""What can go wrong with people, keys and what they may do."""

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
    """This sign-in was ended because its refresh token was used a second time."""

    code = "refresh_token_reused"
    default_hint = "Sign in again. If that was not you, change your password: it also signs out everywhere else."


class TooManySignIns(RateLimited):
    """Too many sign-ins failed; wait before the next one."""

    code = "too_many_sign_ins"


class TooManyRequests(RateLimited):
    """Too many requests; slow down."""

    code = "rate_limited"


class ReadOnly(Forbidden):
    """You may read here, but not change anything."""

    code = "read_only"
    default_hint = "Use a key made with `lectern keys create NAME --write`, or ask for write access."


class AdminsOnly(Forbidden):
    """Only administrators may do this."""

    code = "admins_only"


class PeopleOnly(Forbidden):
    """Only people who signed in may do this, not API keys."""

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
    default_hint = "Make somebody else an administrator first."


class WrongPassword(InvalidRequest):
    """The current password is wrong."""

    code = "wrong_password"


class ScopeNotYours(InvalidRequest):
    """A key cannot reach further than the person who makes it."""

    status: ClassVar[int] = 422
    code = "scope_not_yours"
