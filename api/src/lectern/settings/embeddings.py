"""Embedding models."""

from pathlib import Path

from pydantic import Field, SecretStr

from lectern.settings.base import Section

_FOLDER_OF_IMAGE = Path("/opt/lectern/models")


def _folder_of_image() -> Path | None:
    """Return the folder of the models that a container image brings, or None outside a container."""
    return _FOLDER_OF_IMAGE if _FOLDER_OF_IMAGE.is_dir() else None


class EmbeddingsSettings(Section):
    provider: str = Field(
        default="local",
        validation_alias="LECTERN_EMBEDDINGS",
        description="`local` (multilingual-e5-small), `onnx:FOLDER`, `openai`, `openai:BASE_URL`, or "
        "`hash:DIMENSIONS` for tests.",
    )
    model: str = Field(
        default="text-embedding-3-small",
        validation_alias="LECTERN_EMBEDDINGS_MODEL",
        description="Model name at an OpenAI-compatible provider.",
    )
    dimensions: int = Field(
        default=1536,
        validation_alias="LECTERN_EMBEDDINGS_DIMENSIONS",
        ge=1,
        le=4000,
        description="Dimensions of that model.",
    )
    max_tokens: int = Field(
        default=8191,
        validation_alias="LECTERN_EMBEDDINGS_MAX_TOKENS",
        ge=64,
        le=131_072,
        description="Longest input of that model. Longer chunks are embedded in several windows.",
    )
    next_provider: str = Field(
        default="",
        validation_alias="LECTERN_EMBEDDINGS_NEXT",
        description="Next model, in the form of LECTERN_EMBEDDINGS. Its embeddings are built in the background. "
        "Empty: none.",
    )
    next_model: str = Field(
        default="",
        validation_alias="LECTERN_EMBEDDINGS_NEXT_MODEL",
        description="Model name of the next model. Empty: LECTERN_EMBEDDINGS_MODEL.",
    )
    next_dimensions: int = Field(
        default=0,
        validation_alias="LECTERN_EMBEDDINGS_NEXT_DIMENSIONS",
        ge=0,
        le=4000,
        description="Dimensions of the next model. 0: LECTERN_EMBEDDINGS_DIMENSIONS.",
    )
    next_max_tokens: int = Field(
        default=0,
        ge=0,
        le=131_072,
        description="Longest text of the next one. 0: LECTERN_EMBEDDINGS_MAX_TOKENS.",
    )
    next_api_key: SecretStr | None = Field(
        default=None,
        validation_alias="LECTERN_EMBEDDINGS_NEXT_API_KEY",
        description="API key of the next model. Empty: OPENAI_API_KEY.",
    )
    cache_vectors: int = Field(
        default=500_000,
        ge=0,
        description="Embeddings kept, so that unchanged text is not embedded again; the oldest go first. 0: no bound.",
    )
    timeout_seconds: float = Field(
        default=30,
        gt=0,
        description="Longest wait for one answer of an OpenAI-compatible provider.",
    )
    openai_api_key: SecretStr | None = Field(
        default=None,
        validation_alias="OPENAI_API_KEY",
        description="API key of the OpenAI-compatible embedding provider.",
    )
    threads: int = Field(
        default=0,
        validation_alias="LECTERN_EMBEDDINGS_THREADS",
        ge=0,
        le=64,
        description="CPU threads in each process that embed documents with the local model. 0: all cores but one.",
    )
    model_dir: Path | None = Field(
        default_factory=_folder_of_image,
        description="Folder for converted models. None: `models` in the data folder.",
    )

    @property
    def next(self) -> "EmbeddingsSettings | None":
        """The settings of the next model as if it were the only one; None without one."""
        if not self.next_provider.strip():
            return None
        return self.model_copy(
            update={
                "provider": self.next_provider,
                "model": self.next_model or self.model,
                "dimensions": self.next_dimensions or self.dimensions,
                "max_tokens": self.next_max_tokens or self.max_tokens,
                "openai_api_key": self.next_api_key or self.openai_api_key,
                "next_provider": "",
            }
        )
