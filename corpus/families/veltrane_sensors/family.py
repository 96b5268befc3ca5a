"""Data sheets of six pressure transmitters in two revisions, application notes, a change notice and a selection guide."""

import random
from pathlib import Path
from typing import Any

from generator.markup import Rows
from toolkit.family import Draft, Family, read_questions, render_source

SHEETS: tuple[dict[str, Any], ...] = (
    {"code": "VT210", "rev": "A", "dated": "March 2022", "use": "compressed air and dry gases", "cell": "ceramic, dry", "wet": "ceramic 96 % and brass", "seal": "NBR",
     "low": -20, "high": 85, "media": 90, "volts": "12 to 30", "accuracy": "0.50", "drift": "0.25", "rise": 8, "ip": "IP65", "mass": 95, "over": 2.0, "burst": 3.0, "torque": 20, "draw": 6, "warm": 2, "years": 2, "cycles": 5, "load": 600},
    {"code": "VT210", "rev": "B", "dated": "June 2024", "use": "compressed air and dry gases", "cell": "ceramic, dry", "wet": "ceramic 96 % and brass", "seal": "NBR",
     "low": -25, "high": 85, "media": 90, "volts": "10 to 32", "accuracy": "0.40", "drift": "0.20", "rise": 5, "ip": "IP67", "mass": 91, "over": 2.0, "burst": 3.5, "torque": 22, "draw": 5, "warm": 2, "years": 3, "cycles": 10, "load": 650},
    {"code": "VT220", "rev": "A", "dated": "March 2022", "use": "drinking water and cooling circuits", "cell": "ceramic, flush", "wet": "ceramic 99.7 % and steel 1.4404", "seal": "EPDM",
     "low": -10, "high": 80, "media": 100, "volts": "12 to 30", "accuracy": "0.35", "drift": "0.20", "rise": 10, "ip": "IP67", "mass": 142, "over": 2.5, "burst": 4.0, "torque": 25, "draw": 7, "warm": 4, "years": 2, "cycles": 10, "load": 620},
    {"code": "VT220", "rev": "B", "dated": "September 2024", "use": "drinking water and cooling circuits", "cell": "ceramic, flush", "wet": "ceramic 99.7 % and steel 1.4404", "seal": "FKM",
     "low": -15, "high": 80, "media": 115, "volts": "10 to 32", "accuracy": "0.30", "drift": "0.15", "rise": 7, "ip": "IP68", "mass": 138, "over": 2.5, "burst": 4.5, "torque": 28, "draw": 6, "warm": 3, "years": 3, "cycles": 20, "load": 660},
    {"code": "VT230", "rev": "A", "dated": "May 2022", "use": "refrigerants and heat pumps", "cell": "welded thin film", "wet": "steel 1.4542", "seal": "none",
     "low": -40, "high": 90, "media": 125, "volts": "9 to 30", "accuracy": "0.60", "drift": "0.30", "rise": 4, "ip": "IP67", "mass": 68, "over": 1.5, "burst": 5.0, "torque": 16, "draw": 8, "warm": 1, "years": 2, "cycles": 50, "load": 580},
    {"code": "VT230", "rev": "B", "dated": "October 2024", "use": "refrigerants and heat pumps", "cell": "welded thin film", "wet": "steel 1.4542", "seal": "none",
     "low": -45, "high": 95, "media": 135, "volts": "8 to 32", "accuracy": "0.45", "drift": "0.25", "rise": 3, "ip": "IP69K", "mass": 64, "over": 1.75, "burst": 5.0, "torque": 18, "draw": 7, "warm": 1, "years": 4, "cycles": 100, "load": 640},
    {"code": "VT310", "rev": "A", "dated": "January 2023", "use": "mobile hydraulics", "cell": "thin film on steel", "wet": "steel 1.4301", "seal": "FKM",
     "low": -40, "high": 100, "media": 110, "volts": "9 to 36", "accuracy": "0.50", "drift": "0.15", "rise": 1, "ip": "IP67", "mass": 110, "over": 2.0, "burst": 6.0, "torque": 35, "draw": 9, "warm": 1, "years": 2, "cycles": 200, "load": 700},
    {"code": "VT310", "rev": "B", "dated": "February 2025", "use": "mobile hydraulics", "cell": "thin film on steel", "wet": "steel 1.4404", "seal": "HNBR",
     "low": -40, "high": 105, "media": 120, "volts": "8 to 36", "accuracy": "0.40", "drift": "0.10", "rise": 1, "ip": "IP69K", "mass": 104, "over": 2.5, "burst": 7.0, "torque": 38, "draw": 8, "warm": 1, "years": 3, "cycles": 400, "load": 740},
    {"code": "VT320", "rev": "A", "dated": "January 2023", "use": "test benches and calibration", "cell": "oil-filled silicon", "wet": "steel 1.4435", "seal": "FKM",
     "low": 0, "high": 60, "media": 80, "volts": "15 to 30", "accuracy": "0.10", "drift": "0.08", "rise": 20, "ip": "IP54", "mass": 235, "over": 1.5, "burst": 2.5, "torque": 24, "draw": 11, "warm": 15, "years": 1, "cycles": 2, "load": 500},
    {"code": "VT320", "rev": "B", "dated": "April 2025", "use": "test benches and calibration", "cell": "oil-filled silicon", "wet": "steel 1.4435", "seal": "FKM",
     "low": 0, "high": 65, "media": 85, "volts": "12 to 30", "accuracy": "0.05", "drift": "0.05", "rise": 15, "ip": "IP65", "mass": 228, "over": 1.5, "burst": 2.75, "torque": 26, "draw": 10, "warm": 10, "years": 2, "cycles": 3, "load": 520},
    {"code": "VT330", "rev": "A", "dated": "November 2022", "use": "breweries, dairies and clean rooms", "cell": "oil-filled silicon behind a flush membrane", "wet": "steel 1.4435, electropolished", "seal": "PTFE",
     "low": -10, "high": 70, "media": 140, "volts": "14 to 30", "accuracy": "0.20", "drift": "0.12", "rise": 25, "ip": "IP68", "mass": 410, "over": 2.0, "burst": 3.0, "torque": 12, "draw": 12, "warm": 8, "years": 2, "cycles": 4, "load": 480},
    {"code": "VT330", "rev": "B", "dated": "May 2025", "use": "breweries, dairies and clean rooms", "cell": "oil-filled silicon behind a flush membrane", "wet": "alloy C-22", "seal": "PTFE",
     "low": -10, "high": 75, "media": 150, "volts": "12 to 30", "accuracy": "0.15", "drift": "0.10", "rise": 18, "ip": "IP69K", "mass": 395, "over": 2.0, "burst": 3.25, "torque": 14, "draw": 10, "warm": 6, "years": 3, "cycles": 6, "load": 510},
)  # fmt: skip
RANGES = (1, 2.5, 4, 6, 10, 16, 25, 40, 60, 100, 160, 250)
FITTINGS = ("G1/4", "G1/2", "1/4 NPT", "M20", "7/16 UNF")
OUTPUTS = ("4-20 mA", "0-10 V", "0.5-4.5 V", "IO-Link")
NOTES = ("an-07-water-hammer.pdf", "an-11-cable-and-shield.html", "an-14-cleaning-in-place.docx", "an-18-changeover.md")


def family(folder: Path) -> Family:
    orders: dict[str, dict[tuple[str, str, str], str]] = {}
    drafts: list[Draft] = []
    for place, sheet in enumerate(SHEETS):
        key = f"{sheet['code']}{sheet['rev']}"
        rows, orders[key] = _orders(sheet, place)
        tables = {"orders": Rows(tuple(rows)), "errors": Rows(tuple(_errors(sheet, place)))}
        source = render_source(folder, "sheet.txt", s=sheet, tight=place % 4)
        drafts.append(Draft(file=_file(sheet), source=source, tables=tables))
    drafts += [
        Draft(file=f"veltrane-{name}", source=render_source(folder, f"{name.split('.')[0]}.txt")) for name in NOTES
    ]
    drafts += [
        Draft(file="veltrane-selection-guide-2025.xlsx", source=render_source(folder, "guide.txt", sheets=SHEETS)),
        Draft(file="veltrane-change-notice-pcn-31.eml", source=render_source(folder, "pcn.txt")),
    ]
    questions = read_questions(folder, o=orders)
    return Family(name="veltrane_sensors", split="dev", drafts=tuple(drafts), questions=tuple(questions))


def _file(sheet: dict[str, Any]) -> str:
    return f"veltrane-{sheet['code'].lower()}-rev-{sheet['rev'].lower()}.pdf"


def _orders(sheet: dict[str, Any], place: int) -> tuple[list[tuple[str, ...]], dict[tuple[str, str, str], str]]:
    chance = random.Random(700 + place)
    rows: list[tuple[str, ...]] = [("Order code", "Range, bar", "Fitting", "Output", "Lead time", "Price, €")]
    codes: dict[tuple[str, str, str], str] = {}
    for size in RANGES:
        for fitting in FITTINGS:
            output = chance.choice(OUTPUTS)
            code = f"{sheet['code'][2:]}{sheet['rev']}-{chance.randrange(1000, 9999)}-{chance.randrange(10, 99)}"
            weeks = chance.choice(("stock", "2 weeks", "4 weeks", "9 weeks"))
            rows.append((code, f"{size:g}", fitting, output, weeks, f"{chance.randrange(8200, 46000) / 100:,.2f}"))
            codes[f"{size:g}", fitting, "row"] = " ".join(rows[-1])
            codes[f"{size:g}", fitting, "code"] = code
    return rows, codes


def _errors(sheet: dict[str, Any], place: int) -> list[tuple[str, ...]]:
    chance = random.Random(900 + place)
    rows: list[tuple[str, ...]] = [("Ambient, °C", "Zero, % of span", "Span, % of span", "Hysteresis, % of span")]
    base = float(sheet["accuracy"])
    for degrees in range(sheet["low"], sheet["high"] + 1, 5):
        far = abs(degrees - 22) / 40
        rows.append((f"{degrees}", *(f"{base * (0.3 + far + chance.random() / 5):.3f}" for _ in range(3))))
    return rows
