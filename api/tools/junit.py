"""Read the JUnit reports of pytest and vitest."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The result of a test run. `skips` counts the reasons."""

    passed: int = 0
    failed: int = 0
    skips: Counter[str] = field(default_factory=Counter[str])

    @property
    def skipped(self) -> int:
        return self.skips.total()

    def __add__(self, other: "Report") -> "Report":
        return Report(
            passed=self.passed + other.passed, failed=self.failed + other.failed, skips=self.skips + other.skips
        )


def read_report(xml: Path) -> Report:
    """Count the tests of a JUnit file.

    An error in a fixture is a failure. A test that fails together with its fixture counts once.
    """
    root = ET.parse(xml).getroot()  # noqa: S314 - written by our own test run a moment ago
    verdicts = {(case.get("classname"), case.get("name")): "passed" for case in root.iter("testcase")}
    skips: Counter[str] = Counter()
    for case in root.iter("testcase"):
        key = (case.get("classname"), case.get("name"))
        if case.find("failure") is not None or case.find("error") is not None:
            verdicts[key] = "failed"
        elif (skip := case.find("skipped")) is not None:
            verdicts[key] = "skipped"
            skips[skip.get("message") or "no reason"] += 1
    counts = Counter(verdicts.values())
    return Report(passed=counts["passed"], failed=counts["failed"], skips=skips)
