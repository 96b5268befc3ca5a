"""Italian manuals of three routers for wood, notes on three versions of their control, and technical bulletins."""

import random
import tomllib
from pathlib import Path
from typing import Any

from generator.markup import Rows
from toolkit.family import Draft, Family, format_italian, read_questions, render_source


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "modelli.toml").read_text(encoding="utf-8"))
    drafts: list[Draft] = []
    models: dict[str, Any] = {}
    for place, model in enumerate(facts["modello"]):
        code = model["code"].lower()
        errors, parameters, parts = (
            _errors(facts, place), _parameters(facts, place), _parts(facts, model, place)
        )  # fmt: skip
        source = render_source(folder, "manuale.txt", m=model)
        tables = {"errori": Rows(tuple(errors)), "parametri": Rows(tuple(parameters)), "scadenze": _services(model)}
        drafts.append(Draft(file=f"calvarese-{code}-manuale.pdf", source=source, tables=tables))
        source = render_source(folder, "ricambi.txt", m=model)
        drafts.append(
            Draft(
                file=f"calvarese-{code}-ricambi.{model['parts_format']}",
                source=source,
                tables={"ricambi": Rows(tuple(parts))},
            )
        )
        models[model["code"]] = {
            "error": {row[1]: row for row in errors[1:]},
            "parameter": {row[1]: row for row in parameters[1:]},
            "part": {row[1]: row for row in parts[1:]},
        }
    drafts += [
        Draft(
            file=f"calvarese-calvanc-{one['version'].replace('.', '-')}-note.{one['format']}",
            source=render_source(folder, "note.txt", v=one),
        )
        for one in facts["versione"]
    ]
    drafts += [
        Draft(
            file=f"calvarese-bollettino-{one['number']}.{one['format']}",
            source=render_source(folder, "bollettino.txt", b=one),
        )
        for one in facts["bollettino"]
    ]
    return Family(
        name="fresatrici_calvarese",
        split="train",
        drafts=tuple(drafts),
        questions=tuple(read_questions(folder, models=models)),
    )


def _errors(facts: dict[str, Any], place: int) -> list[tuple[str, ...]]:
    chance = random.Random(300 + place)
    order = list(facts["errori"])
    chance.shuffle(order)
    numbers = sorted(chance.sample(range(1000, 9900), len(order)))
    rows = [("Codice", "Messaggio", "Causa probabile", "Rimedio")]
    rows += [(f"E{number}", *error) for number, error in zip(numbers, order, strict=True)]
    return rows


def _parameters(facts: dict[str, Any], place: int) -> list[tuple[str, ...]]:
    chance = random.Random(500 + place)
    rows = [("Numero", "Parametro", "Valore di fabbrica", "Minimo", "Massimo", "Livello")]
    number = 100
    for group in facts["gruppi"]:
        number = (number // 100 + 1) * 100
        for name, unit, low, high in group["voci"]:
            number += chance.choice((1, 2, 3, 5))
            digits = 2 if high < 10 and unit else 0
            value = round(low + (high - low) * chance.uniform(0.15, 0.85), digits)
            rows.append((
                f"P{number}", f"{group['nome']}: {name}", f"{format_italian(value, digits)} {unit}",
                format_italian(low, digits), format_italian(high, digits), chance.choice(("Operatore", "Tecnico", "Costruttore")),
            ))  # fmt: skip
    return rows


def _parts(facts: dict[str, Any], model: dict[str, Any], place: int) -> list[tuple[str, ...]]:
    chance = random.Random(700 + place)
    rows = [("Codice", "Ricambio", "Quantità", "Tavola", "Prezzo, euro", "Consegna, giorni")]
    for name in (f"{name}, serie {size}" for name in facts["ricambi"] for size in ("I", "II", "III")):
        number = f"{model['prefix']}.{chance.randrange(100, 999)}.{chance.randrange(1000, 9999)}"
        price = format_italian(chance.randrange(6, 900) + chance.choice((0.5, 0.9)), 2)
        quantity, plate, days = chance.choice((1, 1, 2, 4, 6)), chance.randrange(1, 28), chance.choice((2, 5, 10, 21))
        rows.append((number, name, str(quantity), f"T{plate:02}", price, str(days)))
    return rows


def _services(model: dict[str, Any]) -> Rows:
    return Rows((
        ("Ogni", "Chi", "Lavoro"),
        ("8 ore", "Operatore", "Svuotare il cassetto dei trucioli e pulire i soffietti"),
        ("40 ore", "Operatore", "Controllare il livello della condensa e il filtro dell'aria"),
        (f"{model['grease_hours']} ore", "Tecnico", f"Ingrassare le guide con {model['grease']}, {model['grease_grams']} grammi per pattino"),
        (f"{model['spindle_hours']} ore", "Tecnico", "Misurare la vibrazione dell'elettromandrino"),
        (f"{model['pump_hours']} ore", "Tecnico", "Sostituire le palette della pompa del vuoto"),
        ("5 anni", "Costruttore", "Sostituire i tubi flessibili e la batteria del controllo"),
    ))  # fmt: skip
