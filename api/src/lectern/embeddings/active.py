"""The model whose embeddings are active, among the models of the settings.

A process may have two models: LECTERN_EMBEDDINGS and LECTERN_EMBEDDINGS_NEXT. The database says which generation is
active, and may switch at any time. A process only remembers the last answer.
"""

from collections.abc import Sequence

from lectern.embeddings.provider import EmbeddingProvider, ProviderInfo, Vectors


class ActiveProvider:
    """Delegates to the model whose embeddings are active.

    A caller that needs several consistent results asks `get_current_model(provider)` once and uses that model.
    """

    def __init__(self, models: Sequence[EmbeddingProvider]) -> None:
        self.models = {model.info.fingerprint: model for model in models}
        self.model = models[0]
        self._first = models[0]

    def follow(self, fingerprint: str | None) -> EmbeddingProvider:
        """Switch to the model with this fingerprint, or to the first model if there is none."""
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


def get_current_model(provider: EmbeddingProvider) -> EmbeddingProvider:
    """Return the single model that the provider delegates to now."""
    return provider.model if isinstance(provider, ActiveProvider) else provider


def list_fingerprints(provider: EmbeddingProvider) -> list[str]:
    """Return the fingerprints of all models that the provider can delegate to."""
    return list(provider.models) if isinstance(provider, ActiveProvider) else [provider.info.fingerprint]


def get_model(provider: EmbeddingProvider, fingerprint: str) -> EmbeddingProvider:
    """Return the model with this fingerprint, which is one of `list_fingerprints(provider)`."""
    return provider.models[fingerprint] if isinstance(provider, ActiveProvider) else provider


def follow_fingerprint(provider: EmbeddingProvider, fingerprint: str) -> EmbeddingProvider:
    """Make the provider delegate to the model with this fingerprint."""
    return provider.follow(fingerprint) if isinstance(provider, ActiveProvider) else provider
