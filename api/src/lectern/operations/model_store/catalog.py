"""Public models that are known to run here, from `catalog.toml`."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, ConfigDict

from lectern.embeddings.providers.model_card import ModelCard
from lectern.operations.model_store.record import ModelKind


class KnownModel(BaseModel):
    """A public model. `repository` is its name at the publisher's model hub. `card` is usage, without an id."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    repository: str
    kind: ModelKind
    license: str
    card: dict[str, Any] | None = None

    def model_card(self, name: str) -> ModelCard | None:
        return ModelCard.model_validate({"id": name, **self.card}) if self.card else None


@cache
def load_catalog() -> dict[str, KnownModel]:
    """Return the known models by name."""
    text = (files(__package__ or "") / "catalog.toml").read_text(encoding="utf-8")
    return {name: KnownModel.model_validate(entry) for name, entry in tomllib.loads(text).items()}
