"""The part of the MCP registry's `server.json` (2025-12-11) that Lectern uses. Other fields are refused."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

ExactVersion = Annotated[str, StringConstraints(max_length=255, pattern=r"^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$")]
"""Ranges and `latest` are refused."""
Namespaced = Annotated[
    str, StringConstraints(min_length=3, max_length=200, pattern=r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$")
]
Line = Annotated[str, StringConstraints(min_length=1, max_length=100)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, alias_generator=to_camel)


class Argument(_Part):
    type: Literal["named"]
    name: str
    description: str


class Variable(_Part):
    name: str
    description: str
    default: str | None = None
    is_required: bool = False
    is_secret: bool = False


class Transport(_Part):
    type: Literal["stdio"]


class Package(_Part):
    registry_type: Literal["pypi"]
    identifier: str
    version: ExactVersion
    runtime_hint: Literal["uvx"]
    transport: Transport
    package_arguments: list[Argument]
    environment_variables: list[Variable]


class RegistryEntry(_Part):
    """A server in the registry."""

    schema_: Annotated[
        Literal["https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"], Field(alias="$schema")
    ]
    name: Namespaced
    title: Line
    description: Line
    version: ExactVersion
    packages: list[Package]
