"""Secrets from files: `NAME_FILE` names a file, and containers share files that the first start has generated."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_args

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import PydanticBaseSettingsSource

from lectern.errors import Misconfigured

FILE_SUFFIX: Final = "_FILE"
# A folder for each audience. Each one is a volume, and a container mounts only what it may read.
GENERATED: Final = Path("/run/lectern")


def is_secret(field: FieldInfo) -> bool:
    """Return True if the field's value is a secret."""
    return field.annotation is SecretStr or SecretStr in get_args(field.annotation)


def named_file(variable: str, values: Mapping[str, str | None]) -> str | None:
    """Return the content of the file that `VARIABLE_FILE` names, or None. `values` has names in lower case.

    Raises Misconfigured.
    """
    name = variable + FILE_SUFFIX
    path = values.get(name.lower())
    if not path:
        return None
    if values.get(variable.lower()):
        raise Misconfigured(f"{variable} and {name} are both set.", hint="Remove one of them.")
    return read_secret(Path(path), name)


def generated_file(variable: str) -> Path | None:
    """Return the generated file of a variable, or None if this container has none."""
    return next((path for path in GENERATED.glob(f"*/{variable.lower()}") if path.is_file()), None)


def read_secret(path: Path, variable: str) -> str:
    """Return the content of a file without the line break at its end. Raises Misconfigured."""
    try:
        return path.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        hint = "Name a text file that this process can read and that has nothing but the secret."
        raise Misconfigured(f"{variable}: the file {path} cannot be read.", hint=hint) from error


class GeneratedSecrets(PydanticBaseSettingsSource):
    """Reads secrets from the files that `lectern migrate --create-secrets` has written."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Return the content of the generated file, or None. An empty file is no value. Raises Misconfigured."""
        alias = field.validation_alias
        if not isinstance(alias, str) or not is_secret(field):
            return None, field_name, False
        path = generated_file(alias)
        return (read_secret(path, alias) or None) if path else None, alias, False

    def __call__(self) -> dict[str, Any]:
        """Return the secrets of this container by their variables."""
        values = (self.get_field_value(field, name) for name, field in self.settings_cls.model_fields.items())
        return {key: value for value, key, _ in values if value is not None}
