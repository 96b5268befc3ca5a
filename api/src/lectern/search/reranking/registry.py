"""Create the reranker that LECTERN_RERANK names."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lectern.search.errors import RerankingMisconfigured
from lectern.search.reranking.cross_encoder import CrossEncoder, find_packaged
from lectern.search.reranking.provider import Reranker, Style
from lectern.settings import RerankingSettings

LOCAL_MODEL: Final = "ms-marco-MiniLM-L-12-v2"
LOCAL_LANGUAGES: Final = frozenset({"en"})


@dataclass(frozen=True, slots=True)
class RerankerKind:
    """A kind of reranker: the name before the colon, and a factory for the part after it."""

    name: str
    create: Callable[[str, RerankingSettings], Reranker]


def _local(argument: str, settings: RerankingSettings) -> Reranker:
    if argument:
        raise RerankingMisconfigured("`local` takes no argument. `onnx:FOLDER` runs another model.")
    languages = frozenset(settings.languages) or LOCAL_LANGUAGES
    return CrossEncoder(
        find_packaged(), name=LOCAL_MODEL, languages=languages, timeout_seconds=settings.timeout_seconds
    )


def _onnx(argument: str, settings: RerankingSettings) -> Reranker:
    if not argument:
        raise RerankingMisconfigured("`onnx:` must be followed by the folder of a model.")
    return CrossEncoder(
        Path(argument),
        name=f"onnx:{Path(argument).name}",
        languages=frozenset(settings.languages),
        timeout_seconds=settings.timeout_seconds,
    )


def _endpoint(style: Style) -> Callable[[str, RerankingSettings], Reranker]:
    def create(argument: str, settings: RerankingSettings) -> Reranker:
        # Imported on use: it takes a tenth of the start-up time of a process that does not need it.
        from lectern.search.reranking.endpoint import RerankEndpoint

        return RerankEndpoint(
            argument,
            style=style,
            model=settings.model,
            api_key=settings.api_key,
            languages=frozenset(settings.languages),
            timeout_seconds=settings.timeout_seconds,
        )

    return create


RERANKERS: Final = (
    RerankerKind("local", _local),
    RerankerKind("onnx", _onnx),
    RerankerKind("rerank", _endpoint("rerank")),
    RerankerKind("tei", _endpoint("tei")),
)


def create_reranker(settings: RerankingSettings) -> Reranker | None:
    """Create the reranker of the settings; None if LECTERN_RERANK is empty.

    Raises:
        RerankingMisconfigured: The setting names no reranker, or the reranker cannot be used.
    """
    wanted = settings.provider.strip()
    if not wanted:
        return None
    name, _, argument = wanted.partition(":")
    for kind in RERANKERS:
        if kind.name == name:
            return kind.create(argument, settings)
    raise RerankingMisconfigured(f"LECTERN_RERANK names no reranker: {wanted!r}.")
