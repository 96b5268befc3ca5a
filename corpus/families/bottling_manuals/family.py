"""Operating manuals of three bottle fillers that differ in size, and of a capper; the lists of faults and parts are long."""

import random
from pathlib import Path
from typing import Any

from generator.markup import Rows
from toolkit.family import Draft, Family, read_questions, render_source

MODELS: tuple[dict[str, Any], ...] = (
    {"name": "Aqualine 40", "code": "AQ40", "valves": 40, "rate": 18_000, "power": 11, "air": 5.5, "mass": 4_150, "torque": 62,
     "oil": "ISO VG 150", "oil_litres": 6.5, "rinse": 12, "cip": 78, "belt": 940, "edition": "3.2", "dated": "May 2023", "neck": "PCO 1881"},
    {"name": "Aqualine 60", "code": "AQ60", "valves": 60, "rate": 27_000, "power": 15, "air": 6.0, "mass": 5_700, "torque": 74,
     "oil": "ISO VG 220", "oil_litres": 8.0, "rinse": 15, "cip": 80, "belt": 1_260, "edition": "2.0", "dated": "January 2024", "neck": "PCO 1881 and 29/25"},
    {"name": "Aqualine 80", "code": "AQ80", "valves": 80, "rate": 38_000, "power": 22, "air": 6.5, "mass": 7_900, "torque": 88,
     "oil": "ISO VG 220", "oil_litres": 11.0, "rinse": 18, "cip": 82, "belt": 1_680, "edition": "1.4", "dated": "October 2024", "neck": "29/25 and 26/22"},
)  # fmt: skip
FAULTS = (
    (
        "Guard door open",
        "A guard door is not closed, or its switch has moved",
        "Close the door; set the gap of the switch to 3 mm",
    ),
    (
        "Air pressure low",
        "Supply below the limit for more than 4 s",
        "Check the regulator and the filter F1 of the air unit",
    ),
    (
        "Product tank level low",
        "The inlet valve does not open, or the pump has stopped",
        "Check valve Y12 and the pump release",
    ),
    (
        "Product tank level high",
        "The level probe is wet with foam",
        "Lower the foam with the vent valve; clean the probe",
    ),
    (
        "Bottle jam at infeed worm",
        "A bottle lies across, or the worm is out of phase",
        "Remove the bottle; turn the worm by hand to its mark",
    ),
    (
        "Bottle jam at star wheel",
        "The star wheel of another format is fitted",
        "Fit the star wheel with the colour of the format",
    ),
    (
        "Main drive overload",
        "The torque limiter has released",
        "Turn the carousel by hand; if it is stiff, grease the main bearing",
    ),
    ("Main drive temperature", "The motor is above 120 °C", "Clean the fan; reduce the speed for 30 minutes"),
    (
        "Lubrication pressure low",
        "The grease tank is empty or a line is broken",
        "Fill the tank; look for grease under the carousel",
    ),
    (
        "Filling valve does not close",
        "The seal is worn or glass is in the seat",
        "Replace the seal kit; never reach in by hand",
    ),
    (
        "Filling height out of tolerance",
        "The vent tube is bent or loose",
        "Set the vent tube with the gauge; tighten it",
    ),
    ("Rinser pressure low", "The water filter is blocked", "Change the filter cartridge"),
    (
        "Cleaning temperature not reached",
        "The heat exchanger is scaled, or steam is missing",
        "Descale; check the steam valve Y31",
    ),
    ("Caustic concentration low", "The dosing pump has lost its prime", "Vent the dosing pump; check the suction line"),
    (
        "Cap feed empty",
        "The hopper is empty or a cap is stuck in the chute",
        "Fill the hopper; open the chute at the hinge",
    ),
    (
        "Capping torque too low",
        "The clutch is worn or too loose",
        "Set the clutch with the torque tester; replace magnets after 4,000 h",
    ),
    ("Capping torque too high", "The clutch is set too tight, or caps are damp", "Set the clutch; store caps dry"),
    ("Discharge conveyor full", "The line behind has stopped", "Wait; the machine starts again automatically"),
    (
        "Emergency stop pressed",
        "One of the buttons is locked",
        "Find out why it was pressed, turn it to release, then reset",
    ),
    (
        "Controller battery low",
        "The battery is older than five years",
        "Replace it with the supply on, or the recipes are lost",
    ),
    ("Encoder signal lost", "The cable is broken or its plug is wet", "Dry and reseat plug X7"),
    (
        "Recipe does not fit format",
        "The recipe and the change parts differ",
        "Choose the recipe that is printed on the change parts",
    ),
    ("Vacuum too low", "The seal of the vacuum ring is worn", "Replace the sealing ring of the carousel"),
    (
        "Carbonation pressure high",
        "The counter-pressure valve does not vent",
        "Close the product valve, vent by hand, clean valve Y18",
    ),
)
PARTS = (
    "Seal kit, filling valve", "Vent tube", "Bell, centring", "Star wheel, infeed", "Star wheel, discharge", "Guide rail, outer", "Infeed worm",
    "Gripper, rinser", "Nozzle, rinser", "Bearing, main", "Belt, main drive", "Torque limiter", "Clutch magnet set", "Capping head",
    "Cap chute", "Sealing ring, carousel", "Level probe", "Solenoid valve", "Filter cartridge", "Grease pump", "Door switch", "Encoder",
    "Plug set", "Controller battery", "Touch panel", "Heat exchanger plate", "Dosing pump membrane", "Height spindle", "Wear strip, conveyor", "Chain, discharge",
)  # fmt: skip


def family(folder: Path) -> Family:
    drafts: list[Draft] = []
    for place, model in enumerate(MODELS):
        faults, parts = _faults(model, place), _parts(model, place)
        model["fault"] = {row[1]: row[0] for row in faults[1:]}
        model["part"] = {(row[1], int(row[3])): row for row in parts[1:]}
        tables = {"faults": Rows(tuple(faults)), "parts": Rows(tuple(parts)), "services": Rows(tuple(_services(model)))}
        source = render_source(folder, "manual.txt", m=model)
        drafts.append(Draft(file=f"{model['code'].lower()}-operating-manual.pdf", source=source, tables=tables))
    questions = read_questions(folder, models={model["code"]: model for model in MODELS})
    return Family(name="bottling_manuals", split="train", drafts=tuple(drafts), questions=tuple(questions))


def _faults(model: dict[str, Any], place: int) -> list[tuple[str, ...]]:
    chance = random.Random(place)
    rows = [("Code", "Message", "Cause", "What to do")]
    numbers = sorted(chance.sample(range(100, 990), len(FAULTS)))
    order = list(FAULTS)
    chance.shuffle(order)
    rows += [(f"{model['code']}-{number}", *fault) for number, fault in zip(numbers, order, strict=True)]
    return rows


def _parts(model: dict[str, Any], place: int) -> list[tuple[str, ...]]:
    chance = random.Random(100 + place)
    rows = [("Order number", "Part", "Quantity", "Position", "Stock", "Price, €")]
    for position, (name, size) in enumerate(((name, size) for name in PARTS for size in ("A", "B", "C", "D")), start=1):
        number = f"{chance.randrange(10, 99)}.{chance.randrange(1000, 9999)}.{model['valves']}{size}"
        price = f"{chance.choice((4, 9, 18, 46, 130, 380)) * (1 + chance.random()):,.2f}"
        stock = chance.choice(("yes", "yes", "no", "3 weeks", "8 weeks"))
        rows.append(
            (
                number,
                f"{name}, size {size}",
                str(chance.choice((1, 1, 2, 4, model["valves"]))),
                str(position),
                stock,
                price,
            )
        )
    return rows


def _services(model: dict[str, Any]) -> list[tuple[str, ...]]:
    return [
        ("Interval", "Work", "Time needed"),
        ("Every shift", "Clean guards and light barriers; drain the air unit", "10 min"),
        ("50 h", "Grease the star wheels, 3 strokes each", "15 min"),
        ("250 h", f"Check the torque of the carousel bolts: {model['torque']} Nm", "40 min"),
        ("1,000 h", "Replace the seal kits of every fourth valve", "2 h"),
        ("2,000 h", f"Change the gear oil: {model['oil_litres']} litres of {model['oil']}", "1.5 h"),
        ("4,000 h", "Replace the magnets of the capping clutches; measure the belt", "6 h"),
        ("8,000 h", "Overhaul by the maker's fitters", "5 days"),
    ]
