"""A specification of street lamp controllers in three versions with numbered requirements, and test reports against it."""

import random
import tomllib
from pathlib import Path
from typing import Any

from generator.markup import Rows
from toolkit.family import Draft, Family, read_questions, render_source

VERSIONS = ("1.0", "1.1", "2.0")
DATES = {"1.0": "14 March 2019", "1.1": "2 November 2021", "2.0": "20 May 2024"}


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "spec.toml").read_text(encoding="utf-8"))
    drafts = [
        Draft(
            file=f"olc-specification-{version}.pdf",
            source=render_source(
                folder, "spec.txt", version=version, dated=DATES[version], place=place, chapters=_chapters(facts, place)
            ),
        )
        for place, version in enumerate(VERSIONS)
    ]
    found: dict[str, dict[str, str]] = {}
    for place, report in enumerate(facts["report"]):
        rows = _results(facts, report, place)
        found[report["key"]] = {row[0]: " ".join(row[:3]) for row in rows[1:]}
        source = render_source(folder, "test_report.txt", r=report, faults=_faults(report))
        drafts.append(Draft(file=f"olc-test-{report['key']}.pdf", source=source, tables={"results": Rows(tuple(rows))}))
    drafts += [
        Draft(file="olc-requirements.csv", source=render_source(folder, "register.txt", chapters=facts["chapter"])),
        Draft(file="olc-changes-2.0.html", source=render_source(folder, "changes.txt")),
        Draft(file="olc-erratum-4.eml", source=render_source(folder, "erratum.txt")),
    ]
    questions = read_questions(folder, results=found)
    return Family(name="lamp_controller_spec", split="train", drafts=tuple(drafts), questions=tuple(questions))


def _chapters(facts: dict[str, Any], place: int) -> list[dict[str, Any]]:
    """Return the chapters of a version. A requirement lists its texts by version; an empty one is not in force."""
    return [
        {**chapter, "rules": [(rule[0], rule[1 + place], rule[4]) for rule in chapter["rules"]]}
        for chapter in facts["chapter"]
    ]


def _results(facts: dict[str, Any], report: dict[str, Any], seed: int) -> list[tuple[str, ...]]:
    chance = random.Random(510 + seed)
    place = VERSIONS.index(report["version"])
    failed = {fault[0] for fault in report["faults"]}
    rows: list[tuple[str, ...]] = [("Requirement", "Verdict", "Log", "Hours", "Tester")]
    for chapter in facts["chapter"]:
        for number, *texts, _ in chapter["rules"]:
            if texts[place]:
                verdict = "fail" if number in failed else "pass"
                log = f"L{seed + 1}-{chance.randrange(10000, 99999)}"
                hours = f"{chance.uniform(0.5, 9):.1f}"
                rows.append((number, verdict, log, hours, chance.choice(report["testers"])))
    return rows


def _faults(report: dict[str, Any]) -> list[dict[str, str]]:
    return [{"number": number, "text": text} for number, text in report["faults"]]
