"""An invented clinical trial: a protocol in three versions, laboratory reports of five subjects, and what goes with them."""

import random
from pathlib import Path
from typing import Any

from generator.markup import Rows
from toolkit.family import Draft, Family, read_questions, render_source

VERSIONS: tuple[dict[str, Any], ...] = (
    {"v": "1.0", "dated": "12 April 2021", "n": 240, "sites": 14, "countries": "three countries", "low": 45, "high": 75, "pain": 40, "dose": "25 mg or 50 mg", "arms": "three", "weeks": 24, "alt": 3, "wash": 14, "visits": 8, "para": "3 g", "power": 80, "drop": 12, "egfr": 60, "store": "2 to 8", "keep": 15, "fee": 45, "interim": "No interim analysis is planned.", "months": 26},
    {"v": "2.0", "dated": "8 November 2021", "n": 300, "sites": 19, "countries": "four countries", "low": 40, "high": 80, "pain": 40, "dose": "25 mg or 50 mg", "arms": "three", "weeks": 24, "alt": 2, "wash": 10, "visits": 9, "para": "2 g", "power": 85, "drop": 15, "egfr": 60, "store": "2 to 8", "keep": 15, "fee": 55, "interim": "An interim analysis takes place when 150 subjects have completed week 12.", "months": 31},
    {"v": "3.0", "dated": "27 June 2022", "n": 264, "sites": 19, "countries": "four countries", "low": 40, "high": 80, "pain": 35, "dose": "25 mg", "arms": "two", "weeks": 36, "alt": 2, "wash": 7, "visits": 11, "para": "2 g", "power": 90, "drop": 18, "egfr": 75, "store": "15 to 25", "keep": 25, "fee": 70, "interim": "The interim analysis has been held on 3 June 2022; no further one is planned.", "months": 38},
)  # fmt: skip
SUBJECTS = (("04-011", "active, 25 mg"), ("07-003", "active, 50 mg"), ("07-019", "placebo"), ("12-008", "active, 25 mg"), ("16-002", "placebo"))  # fmt: skip
TESTS = (
    ("Haemoglobin", "g/l", 120, 170, 0), ("Leucocytes", "10^9/l", 3.8, 10.5, 1), ("Platelets", "10^9/l", 150, 400, 0), ("Haematocrit", "%", 36, 50, 1),
    ("Sodium", "mmol/l", 135, 145, 0), ("Potassium", "mmol/l", 3.5, 5.1, 1), ("Calcium", "mmol/l", 2.15, 2.55, 2), ("Creatinine", "µmol/l", 45, 104, 0),
    ("Urea", "mmol/l", 2.5, 7.8, 1), ("Urate", "µmol/l", 180, 420, 0), ("ALT", "U/l", 7, 45, 0), ("AST", "U/l", 8, 40, 0), ("GGT", "U/l", 8, 60, 0),
    ("Bilirubin", "µmol/l", 3, 21, 0), ("Albumin", "g/l", 35, 50, 0), ("CRP", "mg/l", 0, 5, 1), ("Glucose", "mmol/l", 3.9, 6.1, 1), ("Ferritin", "µg/l", 20, 300, 0),
)  # fmt: skip
VISITS = (("screening", "V1"), ("week 4", "V3"), ("week 12", "V5"), ("week 24", "V8"))


def family(folder: Path) -> Family:
    drafts = [
        Draft(
            file=f"qtz-protocol-v{one['v']}.pdf",
            source=render_source(folder, "protocol.txt", p=one, old=VERSIONS[max(0, place - 1)], place=place),
        )
        for place, one in enumerate(VERSIONS)
    ]
    lab: dict[str, dict[str, str]] = {}
    for place, (subject, arm) in enumerate(SUBJECTS):
        rows, numbers = _values(place)
        lab[subject] = {f"{row[0]} {row[1]}": " ".join(row) for row in rows[1:]} | numbers
        source = render_source(folder, "lab.txt", subject=subject, arm=arm, numbers=numbers, place=place)
        drafts.append(Draft(file=f"qtz-lab-{subject}.pdf", source=source, tables={"values": Rows(tuple(rows))}))
    drafts += [
        Draft(file="qtz-statistical-plan.docx", source=render_source(folder, "statistics.txt")),
        Draft(file="qtz-safety-report-07-003.pdf", source=render_source(folder, "safety.txt"), is_scan=True),
        Draft(file="qtz-monitor-letter-site-12.eml", source=render_source(folder, "monitor.txt")),
        Draft(file="qtz-laboratory-manual.md", source=render_source(folder, "manual.txt")),
    ]
    questions = read_questions(folder, lab=lab)
    return Family(name="quartzen_trial", split="train", drafts=tuple(drafts), questions=tuple(questions))


def _values(place: int) -> tuple[list[tuple[str, ...]], dict[str, str]]:
    chance = random.Random(2300 + place)
    rows: list[tuple[str, ...]] = [("Visit", "Test", "Value", "Unit", "Range", "Flag")]
    numbers = {code: f"QL-{chance.randrange(100000, 999999)}" for _, code in VISITS}
    for _, code in VISITS:
        for name, unit, low, high, digits in TESTS:
            width = high - low
            value = max(0, chance.uniform(low - width * 0.06, high + width * 0.12))
            flag = "L" if value < low else "H" if value > high else "-"
            rows.append((code, name, f"{value:.{digits}f}", unit, f"{low:g} to {high:g}", flag))
    return rows, numbers
