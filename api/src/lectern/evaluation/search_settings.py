"""Variations of the search settings (pure)."""

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from pydantic import ValidationError

from lectern.errors import describe_invalid
from lectern.evaluation.errors import UnknownSetting
from lectern.settings import SearchSettings


def settings_grid(settings: SearchSettings, grid: Mapping[str, Sequence[str]]) -> Iterator[SearchSettings]:
    """Yield the settings with every combination of the grid's values, in order.

    Raises:
        UnknownSetting: There is no such search setting, or a value is invalid.
    """
    check_names(grid)
    for values in itertools.product(*grid.values()):
        yield with_changes(settings, dict(zip(grid, values, strict=True)))


def check_names(names: Iterable[str], *, known: Collection[str] = SearchSettings.model_fields) -> None:
    """Raise UnknownSetting if a name is not among the known search settings."""
    for name in names:
        if name not in known:
            raise UnknownSetting(f"There is no search setting {name}.", hint=f"Use one of {', '.join(known)}.")


def with_changes(settings: SearchSettings, changes: Mapping[str, object]) -> SearchSettings:
    """Return the settings with these values.

    Raises:
        UnknownSetting: There is no such search setting, or a value is invalid.
    """
    check_names(changes)
    try:
        # by field name: environment variables must not override a tried value
        return SearchSettings.model_validate(settings.model_dump() | dict(changes), by_name=True, by_alias=False)
    except ValidationError as error:
        _, reason = describe_invalid(error.errors()[0])
        tried = ", ".join(f"{name}={value}" for name, value in changes.items())
        raise UnknownSetting(f"{tried}: {reason}.") from error


def variables_by_name() -> dict[str, str]:
    """Return the environment variable of each search setting that has one."""
    aliases = {name: field.validation_alias for name, field in SearchSettings.model_fields.items()}
    return {name: alias for name, alias in aliases.items() if isinstance(alias, str)}


def read_grid(texts: Sequence[str]) -> dict[str, list[str]]:
    """Parse `name=1,2` for each setting that varies.

    Raises:
        UnknownSetting: A text has another form.
    """
    grid: dict[str, list[str]] = {}
    for text in texts:
        name, _, listed = text.partition("=")
        values = [value.strip() for value in listed.split(",") if value.strip()]
        if not name or not values:
            raise UnknownSetting(
                f"{text!r} is not NAME=VALUE,VALUE.", hint="Write a setting and its values: ranker=model,fusion."
            )
        grid[name.strip()] = values
    return grid
