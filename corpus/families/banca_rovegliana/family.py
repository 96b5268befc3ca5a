"""An Italian cooperative bank: regulations and procedures in several editions, and circulars to the branches."""

import random
import tomllib
from pathlib import Path
from typing import Any

from generator.markup import Rows
from toolkit.family import Draft, Family, format_italian, read_questions, render_source

BRANCHES = (
    "Rovegliana Centro", "Rovegliana Stazione", "Cerreto al Colle", "Montalbino", "Pieve Ornara", "Sant'Elpidio Vecchio", "Borgomanto", "Tresara",
    "Villanova Lusia", "Campodoro", "Fossalunga", "Isola Verna", "Molinetto", "Roccadaria", "Castelbruno", "Ponte Tessina", "Vallombra", "Serra di Cinto",
)  # fmt: skip


ANOMALIES = (
    "Mutuo rimborsato in anticipo con denaro di terzi", "Bonifici da oltre dieci persone in un mese", "Giroconto all'estero nello stesso giorno",
    "Versamenti di contante poco sotto la soglia", "Banconote vecchie o umide", "Cliente accompagnato da persona che parla per lui",
    "Cassetta visitata più di due volte a settimana", "Società con sede presso un commercialista e senza dipendenti", "Cambio di amministratore due volte in un anno",
    "Fatture con importi tondi", "Pagamento di tasse altrui", "Apertura del conto lontano da casa", "Delega a persona non parente",
    "Polizza riscattata entro un anno", "Carta ricaricata da più comuni", "Assegni circolari intestati allo stesso cliente", "Acquisto di oro",
    "Vincite di gioco ripetute", "Donazione seguita da prelievo", "Prestito tra soci senza contratto", "Esportazioni verso un paese confinante con un paese in guerra",
    "Compravendita di crediti fiscali", "Bonifico con causale generica", "Conto dormiente che riparte", "Accessi alla banca in rete da più stati",
    "Telefono comune a più clienti", "Rifiuto di mostrare un contratto", "Immobile comprato sotto il valore di perizia", "Associazione senza soci noti",
    "Rimessa verso persone diverse nella stessa città", "Crescita improvvisa del fatturato", "Anticipo di fatture verso società collegate",
)  # fmt: skip


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "banca.toml").read_text(encoding="utf-8"))
    limits = {int(one["year"]): _limits(int(one["year"])) for one in facts["regolamento-crediti"]}
    points = {int(one["year"]): _anomalies(int(one["year"])) for one in facts["procedura-antiriciclaggio"]}
    tables: dict[str, dict[int, dict[str, Rows]]] = {
        "regolamento-crediti": {
            year: {"limiti": Rows(tuple(rows)), "classi": Rows(tuple(_classes(year)))} for year, rows in limits.items()
        },
        "procedura-antiriciclaggio": {year: {"anomalie": Rows(tuple(rows))} for year, rows in points.items()},
    }
    drafts = [
        Draft(
            file=f"rovegliana-{name}-{one['year']}.pdf",
            source=render_source(folder, f"{name}.txt", e=one),
            tables=tables.get(name, {}).get(int(one["year"]), {}),
        )
        for name in ("regolamento-crediti", "regolamento-soci", "procedura-antiriciclaggio")
        for one in facts[name]
    ]
    drafts += [
        Draft(
            file=f"rovegliana-circolare-{one['number'].replace('/', '-')}.{one['format']}",
            source=render_source(folder, "circolare.txt", c=one),
        )
        for one in facts["circolare"]
    ]
    rows = _branches()
    drafts.append(
        Draft(
            file="rovegliana-filiali-2025.xlsx",
            source=render_source(folder, "filiali.txt"),
            tables={"filiali": Rows(tuple(rows))},
        )
    )
    branches: dict[str, Any] = {row[1]: row for row in rows[1:]}
    return Family(
        name="banca_rovegliana",
        split="dev",
        drafts=tuple(drafts),
        questions=tuple(
            read_questions(
                folder,
                branches=branches,
                limits={year: {row[0]: row for row in rows[1:]} for year, rows in limits.items()},
                points={year: {row[1]: row for row in rows[1:]} for year, rows in points.items()},
            )
        ),
    )


def _limits(year: int) -> list[tuple[str, ...]]:
    chance = random.Random(year)
    rows = [("Filiale", "Famiglie", "Agricoltura", "Artigiani", "Commercio", "Turismo", "Costruzioni")]
    sizes = (22_000, 4_800, 6_100, 5_300, 2_700, 3_900)
    rows += [
        (name, *(format_italian(round(size * chance.uniform(0.4, 1.7), -1)) for size in sizes)) for name in BRANCHES
    ]
    return rows


def _classes(year: int) -> list[tuple[str, ...]]:
    chance = random.Random(year + 1)
    rows = [("Classe", "Probabilità di insolvenza", "Spread minimo, punti", "Durata massima senza garanzia", "Riesame")]
    risk, spread = 0.08, 0.9
    for number in range(1, 13):
        risk, spread = risk * chance.uniform(1.5, 1.9), spread + chance.uniform(0.15, 0.5)
        rows.append((
            f"M{number:02}", f"{format_italian(risk, 2)}%", format_italian(spread, 2),
            f"{max(0, 84 - number * 6 - year % 5)} mesi", f"ogni {max(1, 13 - number)} mesi",
        ))  # fmt: skip
    return rows


def _anomalies(year: int) -> list[tuple[str, ...]]:
    chance = random.Random(year + 7)
    rows = [("Codice", "Anomalia", "Punti", "Durata dell'osservazione", "Chi esamina l'avviso")]
    for number, name in enumerate(ANOMALIES, start=1):
        rows.append((
            f"AN-{number:02}", name, str(chance.randrange(1, 16)), f"{chance.choice((3, 6, 9, 12))} mesi",
            chance.choice(("Operatore", "Responsabile di filiale", "Ufficio antiriciclaggio")),
        ))  # fmt: skip
    return rows


def _branches() -> list[tuple[str, ...]]:
    chance = random.Random(417)
    rows = [("Codice", "Filiale", "Apertura al pubblico", "Dipendenti", "Cassette", "Fondo cassa, euro", "Telefono")]
    for number, name in enumerate(BRANCHES, start=1):
        rows.append((
            f"F{number:02}", name, chance.choice(("8.20-13.20", "8.20-13.20 e 14.40-16.00", "8.30-13.00, chiusa il mercoledì")),
            str(chance.randrange(3, 14)), str(chance.choice((0, 0, 60, 84, 120, 210))),
            format_italian(chance.randrange(60, 340) * 1000), f"0588 55 {chance.randrange(1000, 9999)}",
        ))  # fmt: skip
    return rows
