"""Request and response bodies of OAuth."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from lectern.accounts.keys.schemas import ApiKeyCreate
from lectern.accounts.toolsets import Toolset
from lectern.http.schemas import Name, RequestModel, ResponseModel

MAX_URI_CHARACTERS = 2_048
Uri = Annotated[str, Field(max_length=MAX_URI_CHARACTERS)]


class AuthorizationRequest(RequestModel):
    """The parameters with which a client sends a person to the consent screen (RFC 6749, 7636 and 8707)."""

    client_id: Annotated[str, Field(min_length=1, max_length=MAX_URI_CHARACTERS)]
    redirect_uri: Annotated[str, Field(min_length=1, max_length=MAX_URI_CHARACTERS)]
    response_type: str = Field(default="", max_length=100)
    code_challenge: str = Field(default="", max_length=200)
    code_challenge_method: str = Field(default="", max_length=100)
    state: str | None = Field(default=None, max_length=4_000)
    scope: str = Field(default="", max_length=1_000)
    resource: str | None = Field(default=None, max_length=MAX_URI_CHARACTERS)


class AuthorizationPreview(ResponseModel):
    """The client that asks, and what it asks for."""

    client_name: str = Field(description="The name that the client gives itself.")
    client_host: str | None = Field(description="The host that publishes the client's metadata. Null: not verified.")
    redirect_host: str = Field(description="The host that receives access.")
    is_loopback: bool = Field(description="A program on the person's own machine receives access.")
    toolsets: list[Toolset] = Field(description="The toolsets in `scope`, or `search`.")
    redirect_to: str | None = Field(description="Set if the request is wrong: the client's address with the error.")


class AuthorizationDecision(RequestModel):
    """The decision of a person. `key` is what the client gets, null refuses."""

    request: AuthorizationRequest
    key: ApiKeyCreate | None = None


class AuthorizationRedirect(ResponseModel):
    """The address to which the browser returns."""

    redirect_to: str


class ClientMetadata(BaseModel):
    """The metadata of a client (RFC 7591). Unknown members are ignored, as the RFC says."""

    model_config = ConfigDict(extra="ignore")

    redirect_uris: list[Uri] = Field(min_length=1, max_length=10)
    client_name: Name | None = None
    grant_types: tuple[str, ...] = ("authorization_code",)
    response_types: tuple[str, ...] = ("code",)


class PublishedClient(ClientMetadata):
    """A client ID metadata document."""

    client_id: str
    token_endpoint_auth_method: Literal["none"] = "none"  # noqa: S105 - not a secret
    client_secret: None = None


class RegisteredClient(ResponseModel):
    """A registered client. It is public: it has no secret and proves itself by PKCE."""

    client_id: str
    client_id_issued_at: int
    client_name: str
    redirect_uris: list[str]
    grant_types: tuple[str, ...] = ("authorization_code", "refresh_token")
    response_types: tuple[str, ...] = ("code",)
    token_endpoint_auth_method: str = "none"  # noqa: S105 - not a secret


class TokenResponse(ResponseModel):
    """An access token, which is an API key, and a refresh token for one use."""

    access_token: str
    token_type: Literal["Bearer"] = "Bearer"  # noqa: S105 - not a secret
    expires_in: int
    refresh_token: str
    scope: str = Field(description="The granted toolsets, and `write`.")


class AuthorizationServerMetadata(ResponseModel):
    """The addresses and abilities of the authorization server (RFC 8414)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    registration_endpoint: str
    revocation_endpoint: str
    scopes_supported: list[str]
    response_types_supported: tuple[str, ...] = ("code",)
    response_modes_supported: tuple[str, ...] = ("query",)
    grant_types_supported: tuple[str, ...] = ("authorization_code", "refresh_token")
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("none",)
    revocation_endpoint_auth_methods_supported: tuple[str, ...] = ("none",)
    code_challenge_methods_supported: tuple[str, ...] = ("S256",)
    authorization_response_iss_parameter_supported: bool = True
    client_id_metadata_document_supported: bool = True


class ProtectedResourceMetadata(ResponseModel):
    """The MCP service as a protected resource (RFC 9728)."""

    resource: str
    authorization_servers: list[str]
    scopes_supported: list[str]
    bearer_methods_supported: tuple[str, ...] = ("header",)
    resource_name: str = "Lectern"
