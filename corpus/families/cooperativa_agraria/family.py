"""Una cooperativa agraria: entregas por campaña, liquidaciones, circulares, reuniones y estatutos, en español."""

import random
from pathlib import Path

from generator.markup import parse_source
from toolkit.family import Draft, Family, read_parts, read_questions

VILLAGES = ("Valdelomas", "Fuente Albar", "Torrecilla del Soto", "Peñahonda", "Arroyomuerto", "Casas de Berzal")
DELIVERED = {  # toneladas de aceituna, almendra y uva por pueblo
    "2022-23": ((412, 88, 236), (305, 61, 190), (518, 104, 88), (176, 132, 0), (264, 47, 312), (98, 75, 141)),
    "2023-24": ((287, 93, 241), (198, 66, 174), (341, 99, 92), (121, 140, 0), (183, 52, 298), (64, 71, 150)),
    "2024-25": ((455, 79, 219), (329, 58, 203), (566, 87, 97), (202, 118, 0), (291, 45, 327), (112, 68, 156)),
}
PRICES = {  # céntimos por kilo
    "2022-23": (("Aceituna de vuelo", 81), ("Aceituna de suelo", 52), ("Almendra larga", 268), ("Almendra común", 231), ("Uva tinta", 44), ("Uva blanca", 37)),
    "2023-24": (("Aceituna de vuelo", 128), ("Aceituna de suelo", 84), ("Almendra larga", 242), ("Almendra común", 205), ("Uva tinta", 46), ("Uva blanca", 41)),
    "2024-25": (("Aceituna de vuelo", 93), ("Aceituna de suelo", 58), ("Almendra larga", 297), ("Almendra común", 254), ("Uva tinta", 42), ("Uva blanca", 43)),
}  # fmt: skip
NAMES = ("Abril", "Bermejo", "Cañizal", "Dorado", "Encinas", "Fresneda", "Garrido", "Herrán", "Isla", "Jarama", "Lozoya", "Monteagudo", "Navalón", "Olmedilla", "Pardillo", "Quijorna", "Robledal", "Salcedo", "Tormes", "Urdiales", "Villarejo", "Yebes", "Zarzuela")  # fmt: skip
FIRST = ("Amparo", "Benito", "Cruz", "Dolores", "Eusebio", "Felisa", "Genaro", "Herminia", "Isidro", "Julia", "Ladislao", "Marina", "Nicasio", "Obdulia", "Plácido", "Remedios", "Saturnino", "Tecla", "Ulpiano", "Visitación")  # fmt: skip


def family(folder: Path) -> Family:
    drafts = [_document(*part) for part in read_parts(folder / "documentos.txt")]
    drafts += [_deliveries(season) for season in DELIVERED]
    drafts += [_prices(season) for season in PRICES]
    drafts.append(_members())
    return Family(
        name="cooperativa_agraria", split="train", drafts=tuple(drafts), questions=tuple(read_questions(folder))
    )


def _meta(title: str, tags: str) -> str:
    return (
        f"---\ntitle: {title}\ncompany: Cooperativa San Albino\nlanguage: es\nlook: contract\ncover: no\n"
        f"collection: Cooperativa San Albino\ntags: {tags}\n---\n\n"
    )


def _document(head: list[str], body: str) -> Draft:
    file, title, tags = head
    return Draft(file=file, source=parse_source(_meta(title, tags) + body))


def _deliveries(season: str) -> Draft:
    rows = DELIVERED[season]
    table = "| Pueblo | Aceituna t | Almendra t | Uva t |\n"
    table += "\n".join(f"| {place} | {a} | {b} | {c} |" for place, (a, b, c) in zip(VILLAGES, rows, strict=True))
    table += "\n| Total | " + " | ".join(str(sum(column)) for column in zip(*rows, strict=True)) + " |"
    chosen = random.Random(season)
    weeks = "| Semana | Aceituna t | Rendimiento graso % | Acidez media |\n"
    weights = [chosen.uniform(0.5, 2) for _ in range(12)]
    total = sum(row[0] for row in rows)
    weeks += "\n".join(
        f"| {number} | {total * weight / sum(weights):.0f} | {chosen.uniform(17, 24):.1f} | {chosen.uniform(0.1, 0.6):.2f} |"
        for number, weight in enumerate(weights, start=1)
    )
    body = f"# Por pueblo\n\n{table}\n\n# Por semana\n\n{weeks}"
    return Draft(
        file=f"albino-entregas-{season}.xlsx",
        source=parse_source(_meta(f"Entregas de la campaña {season}", "entregas") + body),
    )


def _prices(season: str) -> Draft:
    rows = ["| Producto | Céntimos por kilo | Anticipo céntimos | Pago final |"]
    rows += [f"| {name} | {price} | {price * 6 // 10} | 30 de junio |" for name, price in PRICES[season]]
    body = "\n".join(rows)
    return Draft(
        file=f"albino-liquidacion-{season}.csv",
        source=parse_source(_meta(f"Liquidación de la campaña {season}", "precios") + body),
    )


def _members() -> Draft:
    chosen = random.Random(12)
    rows = ["| Socio | Nombre | Pueblo | Hectáreas | Alta | Votos |"]
    for number in range(101, 281):
        name = f"{chosen.choice(FIRST)} {chosen.choice(NAMES)} {chosen.choice(NAMES)}"
        hectares = chosen.uniform(0.8, 46)
        votes = 1 if hectares < 10 else 2 if hectares < 30 else 3
        rows.append(
            f"| S-{number} | {name} | {chosen.choice(VILLAGES)} | {hectares:.1f} | {chosen.randint(1962, 2024)} | {votes} |"
        )
    rows.append("| S-281 | Petra Alcubilla Rey | Peñahonda | 27.4 | 2025 | 2 |")
    rows.append("| S-282 | Hermanos Garaizar SC | Arroyomuerto | 61.5 | 2025 | 3 |")
    body = "# Socios\n\n" + "\n".join(rows)
    return Draft(
        file="albino-libro-de-socios.xlsx",
        source=parse_source(_meta("Libro de socios, marzo de 2025", "socios") + body),
    )
