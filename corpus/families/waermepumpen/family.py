"""German manuals of three heat pumps with lists of faults and parameters, and a service bulletin."""

import random
from pathlib import Path
from typing import Any

from generator.markup import Rows
from toolkit.family import Draft, Family, read_questions, render_source

MODELS: tuple[dict[str, Any], ...] = (
    {"name": "Aurelia 6", "code": "AU6", "power": "6,2", "cop": "4,6", "medium": "R290", "fill": "0,85", "mass": 118, "sound": 47,
     "fuse": 16, "flow": "0,9", "max": 70, "distance": 1, "tank": 180, "edition": "05/2023", "filter": 12},
    {"name": "Aurelia 9", "code": "AU9", "power": "9,1", "cop": "4,4", "medium": "R290", "fill": "1,20", "mass": 146, "sound": 50,
     "fuse": 20, "flow": "1,4", "max": 70, "distance": 1, "tank": 250, "edition": "05/2023", "filter": 12},
    {"name": "Aurelia 14", "code": "AU14", "power": "13,8", "cop": "4,1", "medium": "R32", "fill": "2,40", "mass": 191, "sound": 54,
     "fuse": 25, "flow": "2,2", "max": 62, "distance": 2, "tank": 400, "edition": "11/2024", "filter": 6},
)  # fmt: skip
FAULTS = (
    ("Hochdruck zu hoch", "Durchfluss zu gering oder Filter verstopft", "Filter reinigen, Heizkörper öffnen"),
    (
        "Niederdruck zu niedrig",
        "Verdampfer vereist oder Kältemittel fehlt",
        "Abtauung von Hand starten, Fachbetrieb rufen",
    ),
    ("Durchfluss fehlt", "Pumpe steht oder Luft in der Anlage", "Entlüften, Pumpe prüfen"),
    ("Außenfühler unterbrochen", "Kabel beschädigt", "Kabel zwischen X4.1 und X4.2 messen"),
    ("Vorlauffühler unterbrochen", "Stecker gelöst", "Stecker X5 prüfen"),
    ("Ventilator gestört", "Laub oder Eis im Lüfterrad", "Gerät ausschalten, Laub entfernen"),
    ("Verdichter überhitzt", "Kühlung durch Sauggas fehlt", "30 Minuten warten, bei Wiederholung Fachbetrieb rufen"),
    ("Heizstab gestört", "Sicherheitsbegrenzer hat ausgelöst", "Knopf unter der Kappe drücken"),
    ("Verbindung zum Regler fehlt", "Datenkabel vertauscht", "Adern A und B tauschen"),
    ("Wasserdruck unter 0,8 bar", "Wasser fehlt", "Auf 1,5 bar nachfüllen"),
    ("Frostschutz aktiv", "Wassertemperatur unter 5 °C", "Gerät eingeschaltet lassen"),
    (
        "Leck des Kältemittels gemeldet",
        "Sensor S7 hat angesprochen",
        "Bereich verlassen, keine Schalter betätigen, Fachbetrieb rufen",
    ),
    ("Sperre durch Netzbetreiber", "Rundsteuerung", "Abwarten, höchstens zwei Stunden"),
    ("Legionellenschutz nicht erreicht", "Zapfung während des Programms", "Uhrzeit auf 2.00 Uhr legen"),
)
PARAMETERS = (
    ("Heizkurve", "0,2 bis 3,0"), ("Fußpunkt", "15 bis 35 °C"), ("Raumeinfluss", "0 bis 100 %"), ("Bivalenzpunkt", "–15 bis 5 °C"),
    ("Warmwasser Soll", "40 bis 65 °C"), ("Warmwasser Hysterese", "2 bis 10 K"), ("Abtauart", "0 bis 2"), ("Pumpe Drehzahl", "30 bis 100 %"),
    ("Leisebetrieb Beginn", "Uhrzeit"), ("Leisebetrieb Ende", "Uhrzeit"), ("Estrichprogramm", "0 bis 4"), ("Sommergrenze", "12 bis 24 °C"),
    ("Kühlen erlaubt", "ja, nein"), ("Vorlauf Kühlen", "16 bis 22 °C"), ("Solarüberschuss", "0 bis 10 kW"), ("Sperre Netzbetreiber", "ja, nein"),
)  # fmt: skip


def family(folder: Path) -> Family:
    drafts: list[Draft] = []
    for place, model in enumerate(MODELS):
        chance = random.Random(place + 7)
        codes = sorted(chance.sample(range(10, 99), len(FAULTS)))
        order = chance.sample(FAULTS, len(FAULTS))
        model["fault"] = {fault[0]: f"E{code}" for code, fault in zip(codes, order, strict=True)}
        model["parameter"] = {
            name: (f"P{number:03d}", chance.choice(("ab Werk 1", "ab Werk 2", "ab Werk 0", "ab Werk aus")))
            for number, (name, _) in zip(
                sorted(chance.sample(range(100, 400), len(PARAMETERS))), PARAMETERS, strict=True
            )
        }
        faults = [("Anzeige", "Bedeutung", "Ursache", "Abhilfe")]
        faults += [(f"E{code}", *fault) for code, fault in zip(codes, order, strict=True)]
        parameters = [("Nummer", "Parameter", "Bereich", "Einstellung")]
        parameters += [
            (model["parameter"][name][0], name, span, model["parameter"][name][1]) for name, span in PARAMETERS
        ]
        drafts.append(
            Draft(
                file=f"{model['code'].lower()}-installation-und-bedienung.pdf",
                source=render_source(folder, "handbuch.txt", m=model),
                tables={"faults": Rows(tuple(faults)), "parameters": Rows(tuple(parameters))},
            )
        )
    drafts.append(Draft(file="servicemitteilung-2024-07.html", source=render_source(folder, "mitteilung.txt")))
    questions = read_questions(folder, models={model["code"]: model for model in MODELS})
    return Family(name="waermepumpen", split="test", drafts=tuple(drafts), questions=tuple(questions))
