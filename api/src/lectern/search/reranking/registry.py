"""Create the reranker that LECTERN_RERANK names."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from lectern.search.errors import RerankingMisconfigured
from lectern.search.reranking.cross_encoder import CrossEncoder, find_packaged
from lectern.search.reranking.provider import Reranker, Style
from lectern.settings import RerankingSettings

LOCAL_MODEL: Final = "ms-marco-MiniLM-L-12-v2"
LOCAL_LANGUAGES: Final = frozenset({"en"})


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


def _endpoint(argument: str, settings: RerankingSettings, *, style: Style) -> Reranker:
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


RERANKERS: Final[dict[str, Callable[[str, RerankingSettings], Reranker]]] = {
    "local": _local,
    "onnx": _onnx,
    "rerank": partial(_endpoint, style="rerank"),
    "tei": partial(_endpoint, style="tei"),
}
"""Factories by kind of reranker. Each gets the text after the colon."""


def create_reranker(settings: RerankingSettings) -> Reranker | None:
    """Create the reranker of the settings; None if LECTERN_RERANK is empty.

    Raises:
        RerankingMisconfigured: The setting names no reranker, or the reranker cannot be used.
    """
    wanted = settings.provider.strip()
    if not wanted:
        return None
    name, _, argument = wanted.partition(":")
    if name not in RERANKERS:
        raise RerankingMisconfigured(f"LECTERN_RERANK names no reranker: {wanted!r}.")
    return RERANKERS[name](argument, settings)
