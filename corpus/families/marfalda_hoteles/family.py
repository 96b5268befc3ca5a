"""A Spanish hotel chain: policies on working time, safety, fire, harassment, pools and uniforms in several editions."""

import random
import tomllib
from pathlib import Path

from generator.markup import Rows
from toolkit.family import Draft, Family, read_questions, render_source

HOTELS = ("Marfalda Bahía", "Marfalda Sierra", "Marfalda Centro", "Marfalda Dunas", "Marfalda Puerto Viejo")
PLACES = (
    "Recepción", "Cocina", "Lavandería", "Sala de calderas", "Garaje", "Comedor", "Gimnasio", "Almacén", "Azotea",
    "Pasillo de la planta 1", "Pasillo de la planta 2", "Pasillo de la planta 3", "Pasillo de la planta 4",
)  # fmt: skip
KINDS = ("polvo ABC, 6 kg", "polvo ABC, 9 kg", "CO2, 5 kg", "agua con espuma, 6 l")
JOBS = (
    "Camarera de pisos", "Cocinero", "Ayudante de cocina", "Camarero de sala", "Recepcionista", "Técnico de mantenimiento",
    "Socorrista", "Jardinero", "Mozo de equipajes", "Personal de lavandería",
)  # fmt: skip
RISKS = (
    ("Caída al mismo nivel", "Calzado antideslizante y señal de suelo mojado"),
    ("Sobreesfuerzo", "Formación en manejo de cargas y carro con freno"),
    ("Corte", "Guante de malla y cuchillos afilados en su soporte"),
    ("Quemadura", "Manoplas largas y aviso en voz alta"),
    ("Contacto con productos químicos", "Guantes de nitrilo y ficha de seguridad a la vista"),
    ("Golpe de calor", "Agua fresca y descanso a la sombra"),
    ("Agresión de un cliente", "Botón de aviso y atención en pareja"),
)


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "ediciones.toml").read_text(encoding="utf-8"))
    drafts = [
        Draft(
            file=f"marfalda-{topic}-{one['year']}.{one.get('format', 'pdf')}",
            source=render_source(folder, f"{topic}.txt", e=one),
            tables={"extintores": _extinguishers(one["year"]), "riesgos": _risks(one["year"])},
        )
        for topic, editions in facts.items()
        for one in editions
    ]
    return Family(name="marfalda_hoteles", split="test", drafts=tuple(drafts), questions=tuple(read_questions(folder)))


def _extinguishers(year: int) -> Rows:
    """Return the list of fire extinguishers of all hotels in a year."""
    source = random.Random(year)
    rows = [("Código", "Hotel", "Lugar", "Tipo", "Próxima prueba")]
    for number, hotel in enumerate(HOTELS, start=1):
        for place_number, place in enumerate(PLACES, start=1):
            test = f"{source.randint(1, 12):02}/{year + source.randint(1, 5)}"
            rows.append((f"EX-{number}{place_number:02}", hotel, place, source.choice(KINDS), test))
    return Rows(tuple(rows))


def _risks(year: int) -> Rows:
    """Return the assessment of risks by job; the level and the term differ between editions."""
    source = random.Random(year + 1)
    rows = [("Puesto", "Riesgo", "Nivel", "Medida", "Plazo")]
    for job in JOBS:
        for risk, measure in source.sample(RISKS, 5):
            level = source.choice(("bajo", "medio", "medio", "alto"))
            rows.append((job, risk, level, measure, f"{source.choice((7, 15, 30, 60, 90))} días"))
    return Rows(tuple(rows))
