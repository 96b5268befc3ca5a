"""Sign-in, tokens and service keys."""

from pydantic import Field, SecretStr

from lectern.settings.base import Section


class AccountsSettings(Section):
    jwt_secret_key: SecretStr | None = Field(
        default=None,
        validation_alias="JWT_SECRET_KEY",
        description="Signs access tokens. At least 32 characters. Required outside `lectern up`."
        " After a comma: previous keys, whose tokens stay valid.",
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
    key_max_days: int = Field(
        default=0,
        validation_alias="LECTERN_KEY_MAX_DAYS",
        ge=0,
        le=3650,
        description="Longest lifetime of an API key in days. New keys must then expire. 0: no limit.",
    )
    audit_reads: bool = Field(
        default=False,
        validation_alias="LECTERN_AUDIT_READS",
        description="Record downloads of originals, searches and questions in the audit log, with their text.",
    )
    oidc_issuer: str | None = Field(
        default=None,
        validation_alias="OIDC_ISSUER",
        pattern=r"^https?://[^\s?#]+$",
        description="Identity provider for single sign-on (OpenID Connect). Empty: passwords only.",
    )
    oidc_client_id: str | None = Field(
        default=None, validation_alias="OIDC_CLIENT_ID", description="Client ID of Lectern at the identity provider."
    )
    oidc_client_secret: SecretStr | None = Field(
        default=None,
        validation_alias="OIDC_CLIENT_SECRET",
        description="Client secret of Lectern at the identity provider.",
    )
    access_token_minutes: int = Field(default=60, ge=1, le=1440, description="Lifetime of an access token in minutes.")
    refresh_token_days: int = Field(default=30, ge=1, le=365, description="Life of an unused sign-in.")
    password_hash_passes: int = Field(default=3, ge=1, description="Passes of argon2id: second choice of RFC 9106.")
    password_hash_kib: int = Field(default=65_536, ge=32, description="Memory of argon2id, as in RFC 9106.")
    login_attempts_per_15_minutes: int = Field(
        default=10,
        ge=1,
        description="Failed sign-ins for an address or a client before it must wait.",
    )
