"""Request and response bodies of second factors."""

from typing import Annotated

from pydantic import Field, SecretStr

from lectern.accounts.schemas import Code, CurrentPassword
from lectern.http.schemas import RequestModel, ResponseModel


class SecondFactorSignIn(RequestModel):
    """The second step of signing in."""

    challenge_token: Annotated[SecretStr, Field(min_length=1, max_length=4_000)]
    code: Code
    use_cookies: bool = Field(
        default=True, description="True: set httpOnly cookies, for browsers. False: return the tokens, for programs."
    )


class SecondFactorBegin(RequestModel):
    """The password of the caller."""

    current_password: CurrentPassword


class SecondFactorConfirm(RequestModel):
    """A code of the authenticator app."""

    code: Code


class SecondFactorDisable(RequestModel):
    """The password and a code of the caller."""

    current_password: CurrentPassword
    code: Code


class SecondFactorResponse(ResponseModel):
    """The state of two-factor authentication."""

    is_enabled: bool
    recovery_codes_left: int


class EnrolmentResponse(ResponseModel):
    """The secret to add to an authenticator app."""

    secret: str = Field(description="In base32, to type.")
    uri: str = Field(description="An `otpauth` URI, for a QR code.")


class RecoveryCodesResponse(ResponseModel):
    """Recovery codes. Each signs in once if the app is not at hand."""

    recovery_codes: list[str] = Field(description="Save them now: only their hashes are stored.")
