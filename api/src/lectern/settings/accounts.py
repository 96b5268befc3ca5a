"""Sign-in, tokens and service keys."""

from pydantic import Field, SecretStr

from lectern.settings.base import Section


class AccountsSettings(Section):
    jwt_secret_key: SecretStr | None = Field(
        default=None,
        validation_alias="JWT_SECRET_KEY",
        description="Signs access tokens. At least 32 characters. Required outside `lectern up`.",
    )
    backend_api_key: SecretStr | None = Field(
        default=None,
        validation_alias="BACKEND_API_KEY",
        description="Key of the MCP service for the API. At least 32 characters. Required outside `lectern up`.",
    )
    admin_email: str | None = Field(
        default=None, validation_alias="ADMIN_EMAIL", description="First administrator, created when there is no user."
    )
    admin_password: SecretStr | None = Field(
        default=None,
        validation_alias="ADMIN_PASSWORD",
        description="Password of the first administrator. At least 12 characters.",
    )
    mcp_api_key: SecretStr | None = Field(
        default=None,
        validation_alias="MCP_API_KEY",
        description="API key that can search everything and change nothing. At least 32 characters. Only its hash"
        " is stored. Empty: the key is revoked at the next start.",
    )
    access_token_minutes: int = Field(
        default=60,
        validation_alias="ACCESS_TOKEN_MINUTES",
        ge=1,
        le=1440,
        description="Lifetime of an access token in minutes.",
    )
    refresh_token_days: int = Field(default=30, ge=1, le=365, description="Life of an unused sign-in.")
    login_attempts_per_15_minutes: int = Field(
        default=10,
        ge=1,
        description="Failed sign-ins for an address or a client before it must wait.",
    )
