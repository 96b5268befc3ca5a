"""Run the tests of the browser UI for `./lectern test`: unit tests, and end-to-end tests in a real browser."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final

from junit import Report, read_report
from lectern.cli.console import notes
from lectern.cli.services.ui_build import Node, UiNotBuilt, build_ui, install_packages
from lectern.settings import process_environment

# The headless shell comes first: it draws no window around a page, which halves the work of loading one.
BROWSERS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
NO_BROWSER: Final = (
    "the end-to-end tests of the browser UI need Chromium: install it (Debian, Ubuntu: apt install chromium) "
    "or name one in LECTERN_CHROMIUM"
)
_E2E: Final = ("--config", "e2e/vitest.config.ts")


def run_ui_tests(
    clone: Path, *, is_all: bool = False, has_browser: bool = True, output: IO[str] | None = None
) -> Report:
    """Run the tests that this machine allows. The others count as skipped, with the way to get them."""
    frontend = clone / "frontend"
    if not (frontend / "package.json").is_file():
        return Report()
    try:
        node = install_packages(clone, for_tests=True)
        build_ui(clone)
    except UiNotBuilt as error:
        return _skipped(error.message)
    notes.print("lectern: testing the browser UI")
    report = run_vitest(frontend, node, output=output)
    if not has_browser:
        return report
    browser = find_browser(process_environment())
    if browser is None:
        return report + _skipped(NO_BROWSER)
    notes.print("lectern: testing the browser UI in Chromium against a running Lectern")
    environment = e2e_environment(browser, is_all=is_all)
    return report + run_vitest(frontend, node, *_E2E, environment=environment, output=output)


def run_ui_path(clone: Path, paths: Sequence[str]) -> Report:
    """Run the unit and end-to-end tests of some paths, relative to `frontend`."""
    node = install_packages(clone, for_tests=True)
    frontend = clone / "frontend"
    unit = [path for path in paths if Path(path).parts[:1] != ("e2e",)]
    end_to_end = [path for path in paths if Path(path).parts[:1] == ("e2e",)]
    report = run_vitest(frontend, node, *unit) if unit else Report()
    if end_to_end:
        build_ui(clone)
        browser = find_browser(process_environment())
        if browser is None:
            return report + _skipped(NO_BROWSER)
        report += run_vitest(frontend, node, *_E2E, *end_to_end, environment=e2e_environment(browser, is_all=True))
    return report


def e2e_environment(browser: Path, *, is_all: bool) -> dict[str, str]:
    """Return the variables for the end-to-end tests. A quick run takes one case of each matrix."""
    always = {"LECTERN_CHROMIUM": str(browser), "LECTERN_E2E_PYTHON": sys.executable}
    return always if is_all else {**always, "LECTERN_E2E_QUICK": "true"}


def find_browser(environment: Mapping[str, str]) -> Path | None:
    """Return the Chromium that the environment names, else one on PATH."""
    named = environment.get("LECTERN_CHROMIUM")
    if named:
        return Path(named) if Path(named).is_file() else None
    found = (shutil.which(name, path=environment.get("PATH")) for name in BROWSERS)
    return next((Path(path) for path in found if path), None)


def run_vitest(
    frontend: Path,
    node: Node,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    output: IO[str] | None = None,
) -> Report:
    """Run vitest once and read its report. A run that breaks without a report counts as a failure."""
    with tempfile.TemporaryDirectory() as scratch:
        xml = Path(scratch) / "report.xml"
        reporters = ("--reporter=default", "--reporter=junit", f"--outputFile.junit={xml}")
        program = [str(node.folder / "node"), str(frontend / "node_modules" / "vitest" / "vitest.mjs"), "run"]
        ours = {**process_environment(), **(environment or {})}
        ours["PATH"] = os.pathsep.join((str(node.folder), ours.get("PATH", os.defpath)))
        code = subprocess.run(  # noqa: S603 - our own tests
            [*program, *reporters, *arguments], cwd=frontend, env=ours, stdout=output, stderr=output, check=False
        ).returncode
        report = read_report(xml) if xml.exists() else Report()
    return report + Report(failed=1) if code != 0 and not report.failed else report


def _skipped(reason: str) -> Report:
    return Report(skips=Counter([reason]))
