"""Extract broken files of each format, 2,000 by default, in a nightly run.

    python benchmarks/extraction_fuzz.py [CASES] [SEED] [FORMAT ...]

A FORMAT is part of a content type (`pdf`, `tiff`, `wordprocessing`). Prints for each format the number of extracted
files and of files per error code. Prints every case that raised another error or took longer than 20 seconds, and then
exits with 1.
"""

import argparse
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from extraction.fuzzing import FORMATS, mutated, samples

from lectern.extraction.errors import ExtractionFailed
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits

MAX_SECONDS = 20
LIMITS = ExtractionLimits(max_memory_bytes=536_870_912, max_characters=2_000_000, max_page_characters=200_000)


def run(content_type: str, *, cases: int, seed: str, folder: Path) -> tuple[Counter[str], list[str]]:
    """Run the cases of a format and return outcomes by name, and the failed cases."""
    outcomes: Counter[str] = Counter()
    failures: list[str] = []
    path = folder / "broken"
    for case in range(cases):
        chance = random.Random(f"{seed} {content_type} {case}")
        path.write_bytes(mutated(chance.choice(samples(content_type)), chance))
        started = time.monotonic()
        try:
            extract_document(path, content_type, limits=LIMITS)
            outcomes["read"] += 1
        except ExtractionFailed as failure:
            outcomes[failure.code] += 1
        except Exception as error:  # noqa: BLE001 - such an error is a bug
            failures.append(f"{content_type} {case}: {type(error).__name__}: {error}"[:200])
        if time.monotonic() - started > MAX_SECONDS:
            failures.append(f"{content_type} {case}: took {time.monotonic() - started:.0f} s")
    return outcomes, failures


def main() -> None:
    """Run the chosen formats, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=int, nargs="?", default=2_000)
    parser.add_argument("seed", nargs="?", default="0")
    parser.add_argument("formats", nargs="*", metavar="FORMAT")
    arguments = parser.parse_args()
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it logs every repair
    chosen = [name for name in FORMATS if any(part in name for part in arguments.formats or ("",))]
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for content_type in chosen:
            started = time.monotonic()
            outcomes, failed = run(content_type, cases=arguments.cases, seed=arguments.seed, folder=Path(folder))
            failures += failed
            print(f"{content_type}: {dict(outcomes.most_common())}, {time.monotonic() - started:.0f} s", flush=True)
    print("\n".join(failures) or "Every failure has an error code.")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
