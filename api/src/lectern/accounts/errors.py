"""Errors of users, API keys and permissions."""

from typing import ClassVar

from lectern.errors import Conflict, Forbidden, InvalidRequest, NotFound, RateLimited, Unauthorized, Unavailable


class InvalidCredentials(Unauthorized):
    """The e-mail address or the password is wrong."""

    code = "invalid_credentials"


class SecondFactorRequired(Unauthorized):
    """The password is right. Now a code of the second factor is needed."""

    code = "second_factor_required"
    default_hint = "Send `challenge_token` and a code to `POST /api/v1/auth/sign-in/second-factor`."


class ChallengeExpired(Unauthorized):
    """The challenge token is invalid or has expired."""

    code = "challenge_expired"
    default_hint = "Sign in with your password again."


class NotSignedIn(Unauthorized):
    """Sign in or send a valid API key."""

    code = "unauthorized"
    default_hint = "Sign in again. Programs: send `Authorization: Bearer` with an access token or an API key."


class CredentialsInvalid(NotSignedIn):
    """The API key or access token is unknown, revoked or expired."""

    default_hint = "Sign in again, or create a key with `lectern keys create NAME`."


class RefreshTokenReused(Unauthorized):
    """This session was revoked because its refresh token was used twice."""

    code = "refresh_token_reused"
    default_hint = "Sign in again. If it was not you, change your password, which revokes all other sessions."


class TooManySignIns(RateLimited):
    """Too many sign-in attempts failed."""

    code = "too_many_sign_ins"
    default_hint = "Wait before the next attempt."


class TooManyRequests(RateLimited):
    """Too many requests in a minute."""

    code = "rate_limited"


class ReadOnly(Forbidden):
    """You have read access only."""

    code = "read_only"
    default_hint = "Ask for write access, or use a key created with `lectern keys create NAME --write`."


class AdminsOnly(Forbidden):
    """Only administrators may do this."""

    code = "admins_only"


class PeopleOnly(Forbidden):
    """Only signed-in users may do this, not API keys."""

    code = "people_only"


class ToolsetRequired(Forbidden):
    """This key lacks the toolset of the operation."""

    code = "toolset_required"
    default_hint = "Use a key that has it: `lectern keys create NAME --toolset TOOLSET`."


class AddressNotAllowed(Forbidden):
    """This key does not work from your address."""

    code = "address_not_allowed"
    default_hint = "Call from one of the key's allowed networks, or change that list."


class ServiceOnly(Forbidden):
    """Only services of this installation may do this."""

    code = "service_only"


class UserNotFound(NotFound):
    """No user has this id."""

    code = "user_not_found"


class SessionNotFound(NotFound):
    """You have no active session with this id."""

    code = "session_not_found"
    default_hint = "It may have ended. List your sessions again."


class ApiKeyNotFound(NotFound):
    """No API key has this id."""

    code = "api_key_not_found"


class ApiKeyInactive(Conflict):
    """This key is revoked or has expired."""

    code = "api_key_inactive"
    default_hint = "Create a new key."


class KeyFromEnvironment(Conflict):
    """This key comes from MCP_API_KEY."""

    code = "key_from_environment"
    default_hint = "Change MCP_API_KEY and restart Lectern."


class KeyOfClient(Conflict):
    """This key belongs to a connected app, which renews it on its own."""

    code = "key_of_client"
    default_hint = "Revoke it to disconnect the app."


class McpUnreachable(Unavailable):
    """The MCP service does not answer."""

    code = "mcp_unreachable"
    default_hint = "Start the MCP service, or set LECTERN_MCP_URL to an address that this server reaches."


class McpFailed(Unavailable):
    """The MCP service refused the test of a key."""

    code = "mcp_failed"
    default_hint = "Check LECTERN_MCP_URL, MCP_ALLOWED_HOSTS and the key's allowed networks."


class EmailTaken(Conflict):
    """Another user has this e-mail address."""

    code = "email_taken"


class LastAdmin(Conflict):
    """This is the last active administrator."""

    code = "last_admin"
    default_hint = "Make another user an administrator first."


class SecondFactorEnabled(Conflict):
    """Two-factor authentication is already on."""

    code = "second_factor_enabled"
    default_hint = "Turn it off first."


class SecondFactorNotEnabled(Conflict):
    """Two-factor authentication is not on, and no setup has begun."""

    code = "second_factor_not_enabled"
    default_hint = "Begin the setup first."


class SecondFactorUnreadable(Conflict):
    """The secret of this second factor was encrypted with another signing key."""

    code = "second_factor_unreadable"
    default_hint = "Use a recovery code, or ask for `lectern users reset-second-factor EMAIL`."


class WrongPassword(InvalidRequest):
    """The current password is wrong."""

    code = "wrong_password"


class BreachedPassword(InvalidRequest):
    """This password, or a simple variant of it, is in a list of stolen passwords."""

    code = "breached_password"
    default_hint = "Use four or more unrelated words, or let a password manager generate one."


class WrongCode(InvalidRequest):
    """This code is wrong, expired or already used."""

    code = "wrong_code"
    default_hint = "Wait for the next code of your app, or use a recovery code."


class ScopeNotYours(InvalidRequest):
    """A key cannot have more permissions than its creator."""

    status: ClassVar[int] = 422
    code = "scope_not_yours"


class KeyLifetimeRefused(InvalidRequest):
    """A key must expire within the days that this installation allows."""

    code = "key_lifetime_refused"


class SingleSignOnOff(Conflict):
    """Single sign-on is not set up."""

    code = "single_sign_on_off"
    default_hint = "Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and restart Lectern."


class IdentityProviderFailed(Unavailable):
    """The identity provider does not answer, or not as OpenID Connect says."""

    code = "identity_provider_failed"
    default_hint = "Try again. If it fails again, check OIDC_ISSUER and the identity provider."


class IdentityTokenInvalid(Unauthorized):
    """The token of the identity provider is not valid."""

    code = "identity_token_invalid"
    default_hint = "Sign in again. If it fails again, compare the clocks, OIDC_ISSUER and OIDC_CLIENT_ID."


class SignInNotCompleted(Unauthorized):
    """The identity provider did not complete the sign-in."""

    code = "sign_in_not_completed"
    default_hint = "Sign in again. If it fails again, check the client at the identity provider."


class SignInRequestExpired(Unauthorized):
    """This sign-in has expired, was used before, or began in another browser."""

    code = "sign_in_request_expired"
    default_hint = "Start again on the sign-in page, with cookies allowed."


class IdentityWithoutEmail(Forbidden):
    """The identity provider sends no e-mail address."""

    code = "identity_without_email"
    default_hint = "Let the identity provider send the claim `email` to Lectern."


class IdentityNotLinked(Forbidden):
    """Another account here has the e-mail address of your identity."""

    code = "identity_not_linked"
    default_hint = "An administrator can allow linking, for addresses that the identity provider has verified."


class NoGroupForSignIn(Forbidden):
    """None of your groups gives access to Lectern."""

    code = "no_group_for_sign_in"
    default_hint = "Ask an administrator to add you to a group, or to map one of your groups."


class AccountDisabled(Forbidden):
    """This account is disabled."""

    code = "account_disabled"
    default_hint = "Ask an administrator to enable it."


class LocalPasswordsOff(Forbidden):
    """Signing in with a password is switched off."""

    code = "local_passwords_off"
    default_hint = "Use single sign-on. In an emergency: `lectern users local-passwords on`."


class SingleSignOnRequired(Forbidden):
    """Only an administrator who signed in over single sign-on may switch local passwords off."""

    code = "single_sign_on_required"
    default_hint = "Sign out, sign in over single sign-on, and try again."


class WithoutPassword(Conflict):
    """This account has no password."""

    code = "without_password"
    default_hint = "Change the password or the second factor at the identity provider."


class ClientRefused(InvalidRequest):
    """This app cannot connect, because its request is wrong."""

    code = "oauth_client_refused"
    default_hint = "Start again in the app. If it fails again, remove the connection there and add it anew."


class OAuthError(Exception):
    """An error in the form of RFC 6749, which clients expect: a code of the protocol and a description."""

    def __init__(self, code: str, description: str) -> None:
        self.code = code
        self.description = description
        super().__init__(f"{code}: {description}")
