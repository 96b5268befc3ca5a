"""Randomly broken files raise only typed failures."""

import random
import signal
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lectern.extraction.errors import ExtractionFailed
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits

from .fuzzing import FORMATS, mutated, samples

CASES = 50
LONGEST_SECONDS = 20
LIMITS = ExtractionLimits(max_memory_bytes=536_870_912, max_characters=2_000_000, max_page_characters=200_000)


@contextmanager
def no_longer_than(seconds: int) -> Generator[None]:
    """Fail if the block hangs."""

    def stop(_signal: int, _frame: object) -> None:
        raise TimeoutError(f"It took longer than {seconds} seconds.")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("content_type", FORMATS)
def test_broken_files_are_read_or_rejected(tmp_path: Path, content_type: str) -> None:
    path = tmp_path / "broken"
    silent: list[tuple[int, str]] = []
    for case in range(CASES):
        chance = random.Random(f"{content_type} {case}")
        path.write_bytes(mutated(chance.choice(samples(content_type)), chance))
        with no_longer_than(LONGEST_SECONDS):
            try:
                extract_document(path, content_type, limits=LIMITS)
            except ExtractionFailed as failure:
                if not failure.message.endswith("."):
                    silent.append((case, failure.message))
    assert silent == []
