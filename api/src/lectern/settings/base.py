"""The base of every section: how fields are read from the environment."""

import os
from pathlib import Path
from typing import Any, Final

from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from lectern.errors import Misconfigured
from lectern.settings.secret_files import GeneratedSecrets, is_secret, named_file

ENV_FILE: Final = ".env"
_OBJECT_STORES: Final = ("AWS_", "GOOGLE_", "AZURE_")


class _DocumentedVariables(EnvSettingsSource):
    """Reads a field from the variable of its alias only, never from `PORT` or `MODEL` of other programs.

    A secret may also be in the file that `NAME_FILE` names.
    """

    def __call__(self) -> dict[str, Any]:
        """Return the values of all fields. Raises Misconfigured."""
        try:
            return super().__call__()
        except SettingsError as error:
            if isinstance(error.__cause__, Misconfigured):
                raise error.__cause__ from None
            raise

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        alias = field.validation_alias
        if not isinstance(alias, str):
            return None, field_name, False
        if is_secret(field) and (content := named_file(alias, self.env_vars)) is not None:
            return content, alias, False
        return self.env_vars.get(alias.lower()), alias, self.field_is_complex(field)

    def decode_complex_value(self, field_name: str, field: FieldInfo, value: str) -> object:
        """Parse a list. Raises Misconfigured."""
        try:
            return super().decode_complex_value(field_name, field, value)
        except ValueError as error:
            hint = 'Write a list as JSON: ["first", "second"].'
            raise Misconfigured(f"{field.validation_alias} is not valid JSON.", hint=hint) from error


class _DocumentedLines(_DocumentedVariables, DotEnvSettingsSource):
    """Apply this rule to `.env` too. Raises Misconfigured if it cannot be read."""

    def __init__(self, settings_cls: type[BaseSettings]) -> None:
        try:
            super().__init__(settings_cls, env_file=ENV_FILE)
        except (OSError, UnicodeDecodeError) as error:
            hint = "Make it a UTF-8 text file that this process can read, or start Lectern in another folder."
            raise Misconfigured(f"The file {Path(ENV_FILE).absolute()} cannot be read.", hint=hint) from error


class Section(BaseSettings):
    model_config = SettingsConfigDict(
        env_ignore_empty=True,
        extra="ignore",
        populate_by_name=True,
        frozen=True,
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - replaced by our own
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - replaced by our own
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - not used
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        variables, lines = _DocumentedVariables(settings_cls), _DocumentedLines(settings_cls)
        return init_settings, variables, lines, GeneratedSecrets(settings_cls)


def given_variables() -> set[str]:
    """Return the names of all variables in the environment and in `.env`."""
    return {name.upper() for source in (_DocumentedVariables, _DocumentedLines) for name in source(Section).env_vars}


def export_object_store_variables() -> None:
    """Copy AWS_*, GOOGLE_* and AZURE_* from `.env` to the environment: object stores read nothing else."""
    for name, value in _DocumentedLines(Section).env_vars.items():
        if value and name.upper().startswith(_OBJECT_STORES):
            os.environ.setdefault(name.upper(), value)
