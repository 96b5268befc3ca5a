"""Names of a question in documents."""

from collections.abc import AsyncGenerator

import pytest
from benchmarks.throwaway import ThrowawayDatabase
from tests.answers.questions import make_question
from tests.answers.test_extractive import hit

from lectern.answers.entities import (
    drop_documents_of_later_years,
    drop_documents_without_names,
    drop_documents_without_numbers,
    find_names,
    is_misspelling,
    list_similarly_named,
)
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Session, open_database
from lectern.search.query.question import fold, parse_names, parse_numbered_names


@pytest.fixture
async def session(filled_database: ThrowawayDatabase) -> AsyncGenerator[Session]:
    async with open_database(filled_database.service_url) as library, library.session(SYSTEM_SCOPE) as session:
        yield session


@pytest.mark.parametrize(
    ("name", "text", "is_there"),
    [
        ("londra", "Hotels in London, up to 230 EUR", True),
        ("zürich", "Alberghi a Zurigo", True),
        ("milano", "Milan branch", True),
        ("rome", "Sconti per chi parte da Romano", False),
        ("londra", "Hotels in Paris", False),
        ("alveare", "Das Projekt Alveare", True),
    ],
)
def test_place_is_found_under_its_names_in_other_languages(name: str, text: str, *, is_there: bool) -> None:
    assert bool(find_names({fold(name)}, fold(text))) is is_there


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("¿Qué ciudad está en Normandía?", {"normandia"}),
        ("Según el contrato, ¿Cuándo cierra la oficina de Valdoria?", {"valdoria"}),
    ],
)
def test_first_word_after_an_opening_mark_is_no_name(question: str, names: set[str]) -> None:
    assert parse_names(question, language="es") == names


@pytest.mark.parametrize(
    ("name", "word", "is_alike"),
    [
        ("celeron", "celoron", True),
        ("beriodi", "beroidi", True),
        ("ctenophores", "ctenophora", True),
        ("alfa", "alta", False),
        ("austria", "australia", False),
        ("slovenia", "slovakia", False),
        ("form10k", "form10q", False),
    ],
)
def test_misspelling_differs_by_one_letter_in_five(name: str, word: str, *, is_alike: bool) -> None:
    assert is_misspelling(name, word) is is_alike


@pytest.mark.parametrize(
    ("text", "is_listed"),
    [("Poi Cèloron scese il fiume.", True), ("Un celoron e una casa.", False), ("Poi Céleron scese.", True)],
)
def test_only_a_capitalized_word_is_a_similar_name(text: str, *, is_listed: bool) -> None:
    question = make_question("Chi era Celeron?", language="it")
    assert bool(list_similarly_named(question, [hit(text)])) is is_listed


@pytest.mark.parametrize(
    ("question", "language", "text", "is_kept"),
    [
        ("How much holiday do employees of Mellisande get?", "en", "I dipendenti hanno 26 giorni di ferie.", False),
        ("How much holiday do employees of Quercialta get?", "en", "I dipendenti di Quercialta hanno ferie.", True),
        ("Did Karl Brandt ask the Ministry?", "en", "Karl Brandt ha scritto.", True),
        ("When does the Ministry answer?", "en", "Risponde entro 30 giorni.", True),
        ("What did Aristotle teach?", "en", "Aristotele insegnava logica.", True),
        ("¿Qué pasó en el siglo XVIII?", "es", "La crescita fu lenta.", True),
        ("Ile kosztuje hotel w Londynie?", "pl", "Il limite per Londra è 230 euro.", True),
    ],
)
async def test_document_in_another_language_needs_names_without_translation(
    session: Session, question: str, language: str, text: str, *, is_kept: bool
) -> None:
    hits = [hit(text).model_copy(update={"language": "it"})]
    found = await drop_documents_without_names(session, make_question(question, language=language), hits)
    assert list(found) == (hits if is_kept else [])


@pytest.mark.parametrize(
    ("question", "is_kept"),
    [
        ("How do the fees of Alfa and Beta compare?", True),
        ("How do the fees of Gamma and Delta compare?", False),
        ("What does Alfa charge in Delta and Gamma?", False),
    ],
)
async def test_each_document_of_a_comparison_needs_one_name(session: Session, question: str, *, is_kept: bool) -> None:
    hits = [hit("Alfa charges a fee of 12 euro.")]
    found = await drop_documents_without_names(session, make_question(question, language="en"), hits)
    assert list(found) == (hits if is_kept else [])


@pytest.mark.parametrize(
    ("question", "numbered"),
    [
        ("How much is the lawn mower Prato 42?", {("prato", "42")}),
        ("Wie laut ist der Aqualine 40 bei 20 Grad?", {("aqualine", "40")}),
        ("What did DECnet 2.1 add to Version 2?", {("decnet", "2.1"), ("version", "2")}),
        ("What was the revenue of Alfa 2024?", set[tuple[str, str]]()),
        ("What is on page 4, in Table 5 and since October 12?", set[tuple[str, str]]()),
        ("Entro 30 giorni, quanti sono stati venduti?", set[tuple[str, str]]()),
        ("Did the Bonus 110% end?", set[tuple[str, str]]()),
    ],
)
def test_number_behind_a_name_is_a_part_of_it(question: str, numbered: set[tuple[str, str]]) -> None:
    assert parse_numbered_names(question) == numbered


@pytest.mark.parametrize(
    ("question", "text", "is_kept"),
    [
        ("How much is the mower Prato 42?", "The Prato 42 costs 449 euro.", True),
        ("How much is the mower Prato 76?", "The Prato 42 costs 449 euro.", False),
        ("How much is the mower Prato 4?", "The Prato 42 costs 449 euro.", False),
        ("How much is the mower Prato 18?", "Prato 42, with two batteries of 18 volt.", False),
        ("How loud is the mower Prato 76?", "The models Prato 42, 76 and 80 are silent.", True),
        ("How loud is the mower Prato 80?", "The models Prato 42, 76 and 80 are silent.", True),
        ("How loud is the mower Prato 4.2?", "Prato-4.2", True),
        ("What do the mowers Prato 42 and Prato 76 cost?", "The Prato 42 costs 449 euro.", False),
        ("Is Prato 42 cheaper than Prato 76?", "The Prato 42 costs 449 euro.", True),
    ],
)
async def test_document_needs_the_number_behind_a_name(
    session: Session, question: str, text: str, *, is_kept: bool
) -> None:
    hits = [hit(text)]
    found = await drop_documents_without_numbers(session, make_question(question, language="en"), hits)
    assert list(found) == (hits if is_kept else [])


@pytest.mark.parametrize(
    ("question", "is_kept"),
    [
        ("Wann öffnet Abteilung 12?", True),
        ("When does Year 4 visit the museum?", True),
        ("How long does Corvetto 9 last?", False),
    ],
)
async def test_translated_name_needs_no_number_in_another_language(
    session: Session, question: str, *, is_kept: bool
) -> None:
    language = "de" if "Abteilung" in question else "en"
    hits = [hit("Il Corvetto 3 dura tre anni. La classe 4 e il reparto 12 sono aperti.")]
    hits = [one.model_copy(update={"language": "it"}) for one in hits]
    found = await drop_documents_without_numbers(session, make_question(question, language=language), hits)
    assert list(found) == (hits if is_kept else [])


@pytest.mark.parametrize(
    ("question", "is_kept"),
    [
        ("How many shops did it have in 2010?", False),
        ("How many shops did it have in 2025?", True),
        ("How many shops does it have in 2026?", True),
        ("How many shops does it have?", True),
        ("Did it have more shops in 2010 than in 2011?", True),
    ],
)
async def test_document_of_a_later_year_is_dropped(session: Session, question: str, *, is_kept: bool) -> None:
    hits = [hit("Shops\nThe company runs 47 shops."), hit("History\nThe report covers 2025.")]
    found = await drop_documents_of_later_years(session, make_question(question, language="en"), hits)
    assert list(found) == (hits if is_kept else [])


async def test_document_without_years_is_kept(session: Session) -> None:
    hits = [hit("Shops\nThe company runs 47 shops.")]
    question = make_question("How many shops did it have in 2010?", language="en")
    assert list(await drop_documents_of_later_years(session, question, hits)) == hits
