"""Errors of users, API keys and permissions."""

from typing import ClassVar

from lectern.errors import Conflict, Forbidden, InvalidRequest, NotFound, RateLimited, Unauthorized, Unavailable


class InvalidCredentials(Unauthorized):
    """The e-mail address or the password is wrong."""

    default_hint = "An administrator can reset a password: `lectern users set-password EMAIL`."


class SecondFactorRequired(Unauthorized):
    """The password is right. Now a code of the second factor is needed."""

    default_hint = "Send `challenge_token` and a code to `POST /api/v1/auth/sign-in/second-factor`."


class ChallengeExpired(Unauthorized):
    """The challenge token is invalid or has expired."""

    default_hint = "Sign in with your password again."


class NotSignedIn(Unauthorized):
    """Sign in or send a valid API key."""

    code = "unauthorized"
    default_hint = "Sign in again. Programs: send `Authorization: Bearer` with an access token or an API key."


class CredentialsInvalid(NotSignedIn):
    """The API key or access token is unknown, revoked or expired."""

    code = NotSignedIn.code
    default_hint = "Sign in again, or create a key with `lectern keys create NAME`."


class RefreshTokenReused(Unauthorized):
    """This session was revoked because its refresh token was used twice."""

    default_hint = "Sign in again. If it was not you, change your password, which revokes all other sessions."


class TooManySignIns(RateLimited):
    """Too many sign-in attempts failed."""

    default_hint = "Wait before the next attempt."


class TooManyRequests(RateLimited):
    """Too many requests in a minute."""

    code = "rate_limited"


class ReadOnly(Forbidden):
    """You have read access only."""

    default_hint = "Ask for write access, or use a key created with `lectern keys create NAME --write`."


class AdminsOnly(Forbidden):
    """Only administrators may do this."""

    default_hint = "Sign in as an administrator, or ask one."


class PeopleOnly(Forbidden):
    """Only signed-in users may do this, not API keys."""

    default_hint = "Use the browser, or the access token of a sign-in (`/api/v1/auth/sign-in`)."


class ToolsetRequired(Forbidden):
    """This key lacks the toolset of the operation."""

    default_hint = "Use a key that has it: `lectern keys create NAME --toolset TOOLSET`."


class AddressNotAllowed(Forbidden):
    """This key does not work from your address."""

    default_hint = "Call from one of the key's allowed networks, or change that list."


class ServiceOnly(Forbidden):
    """Only services of this installation may do this."""


class UserNotFound(NotFound):
    """No user has this id."""


class SessionNotFound(NotFound):
    """You have no active session with this id."""

    default_hint = "It may have ended. List your sessions again."


class ApiKeyNotFound(NotFound):
    """No API key has this id."""


class ApiKeyInactive(Conflict):
    """This key is revoked or has expired."""

    default_hint = "Create a new key."


class KeyFromEnvironment(Conflict):
    """This key comes from MCP_API_KEY."""

    default_hint = "Change MCP_API_KEY and restart Lectern."


class KeyOfClient(Conflict):
    """This key belongs to a connected app, which renews it on its own."""

    default_hint = "Revoke it to disconnect the app."


class McpUnreachable(Unavailable):
    """The MCP service does not answer."""

    default_hint = "Start the MCP service, or set LECTERN_MCP_URL to an address that this server reaches."


class McpFailed(Unavailable):
    """The MCP service refused the test of a key."""

    default_hint = "Check LECTERN_MCP_URL, MCP_ALLOWED_HOSTS and the key's allowed networks."


class EmailTaken(Conflict):
    """Another user has this e-mail address."""


class LastAdmin(Conflict):
    """This is the last administrator who can sign in."""

    default_hint = "Make another user an administrator first."


class SecondFactorEnabled(Conflict):
    """Two-factor authentication is already on."""

    default_hint = "Turn it off first."


class SecondFactorNotEnabled(Conflict):
    """Two-factor authentication is not on, and no setup has begun."""

    default_hint = "Begin the setup first."


class SecondFactorUnreadable(Conflict):
    """The secret of this second factor was encrypted with another signing key."""

    default_hint = "Use a recovery code, or ask for `lectern users reset-second-factor EMAIL`."


class WrongPassword(InvalidRequest):
    """The current password is wrong."""


class BreachedPassword(InvalidRequest):
    """This password or a variant is the account's address, or in a list of stolen passwords."""

    default_hint = "Use four or more unrelated words, or let a password manager generate one."


class WrongCode(InvalidRequest):
    """This code is wrong, expired or already used."""

    default_hint = "Check the clock of your phone and enter the next code, or use a recovery code."


class ScopeNotYours(InvalidRequest):
    """A key cannot have more permissions than its creator."""

    status: ClassVar[int] = 422


class KeyLifetimeRefused(InvalidRequest):
    """A key must expire within the days that this installation allows."""


class SingleSignOnOff(Conflict):
    """Single sign-on is not set up."""

    default_hint = "Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and restart Lectern."


class IdentityProviderFailed(Unavailable):
    """The identity provider does not answer, or not as OpenID Connect says."""

    default_hint = "Try again. If it fails again, check OIDC_ISSUER and the identity provider."


class IdentityTokenInvalid(Unauthorized):
    """The token of the identity provider is not valid."""

    default_hint = "Sign in again. If it fails again, compare the clocks, OIDC_ISSUER and OIDC_CLIENT_ID."


class SignInNotCompleted(Unauthorized):
    """The identity provider did not complete the sign-in."""

    default_hint = "Sign in again. If it fails again, check the client at the identity provider."


class SignInRequestExpired(Unauthorized):
    """This sign-in has expired, was used before, or began in another browser."""

    default_hint = "Start again on the sign-in page, with cookies allowed."


class IdentityWithoutEmail(Forbidden):
    """The identity provider sends no e-mail address."""

    default_hint = "Let the identity provider send the claim `email` to Lectern."


class IdentityNotLinked(Forbidden):
    """Another account here has the e-mail address of your identity."""

    default_hint = "An administrator can allow linking, for addresses that the identity provider has verified."


class NoGroupForSignIn(Forbidden):
    """None of your groups gives access to Lectern."""

    default_hint = "Ask an administrator to add you to a group, or to map one of your groups."


class AccountDisabled(Forbidden):
    """This account is disabled."""

    default_hint = "Ask an administrator to enable it."


class LocalPasswordsOff(Forbidden):
    """Signing in with a password is switched off."""

    default_hint = "Use single sign-on. In an emergency: `lectern users local-passwords on`."


class SingleSignOnRequired(Forbidden):
    """Only an administrator who signed in over single sign-on may switch local passwords off."""

    default_hint = "Sign out, sign in over single sign-on, and try again."


class WithoutPassword(Conflict):
    """This account has no password."""

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
