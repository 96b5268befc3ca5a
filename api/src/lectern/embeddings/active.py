"""Which of the models of the settings is in use: the one whose generation is searched.

A process may have two: that of LECTERN_EMBEDDINGS and that of LECTERN_EMBEDDINGS_NEXT. The database says which of them
is searched, and may say another at any moment; what a process remembers is only where it begins the next time.
"""

from collections.abc import Sequence
from pathlib import Path

from lectern.embeddings.provider import EmbeddingProvider, ProviderInfo, Vectors
from lectern.embeddings.registry import create_provider
from lectern.settings import EmbeddingsSettings


class ProviderInUse:
    """Several models as one: what it is asked goes to the one that was in use when it was last told.

    Whoever asks for several things that belong together asks `current(provider)` for all of them.
    """

    def __init__(self, models: Sequence[EmbeddingProvider]) -> None:
        self.models = {model.info.fingerprint: model for model in models}
        self.model = models[0]
        self._first = models[0]

    def follow(self, fingerprint: str | None) -> EmbeddingProvider:
        """The model of this fingerprint, in use from now on; the first where there is none of it."""
        self.model = self.models.get(fingerprint or "", self._first)
        return self.model

    @property
    def info(self) -> ProviderInfo:
        return self.model.info

    async def prepare(self) -> None:
        await self.model.prepare()

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return await self.model.embed_documents(texts)

    async def embed_query(self, text: str) -> Vectors:
        return await self.model.embed_query(text)

    def count_tokens(self, text: str) -> int:
        return self.model.count_tokens(text)

    async def close(self) -> None:
        for model in self.models.values():
            await model.close()


def create_models(settings: EmbeddingsSettings, *, model_dir: Path) -> list[EmbeddingProvider]:
    """The models of the settings, that of LECTERN_EMBEDDINGS first; nothing is loaded yet.

    Raises:
        EmbeddingsMisconfigured: A setting names no provider, or its model cannot be used.
    """
    every = [settings] if settings.next is None else [settings, settings.next]
    models = [create_provider(each, model_dir=model_dir) for each in every]
    return list({model.info.fingerprint: model for model in reversed(models)}.values())[::-1]


def current(provider: EmbeddingProvider) -> EmbeddingProvider:
    """The one model that this provider stands for at this moment."""
    return provider.model if isinstance(provider, ProviderInUse) else provider


def fingerprints_of(provider: EmbeddingProvider) -> list[str]:
    """Those of the models that it could stand for."""
    return list(provider.models) if isinstance(provider, ProviderInUse) else [provider.info.fingerprint]


def model_of(provider: EmbeddingProvider, fingerprint: str) -> EmbeddingProvider:
    """The one of its models that has this fingerprint, which is among `fingerprints_of(provider)`."""
    return provider.models[fingerprint] if isinstance(provider, ProviderInUse) else provider


def follow(provider: EmbeddingProvider, fingerprint: str) -> EmbeddingProvider:
    """The one of its models that has this fingerprint, in use from now on."""
    return provider.follow(fingerprint) if isinstance(provider, ProviderInUse) else provider
