"""Extractive answers: rows, context, codes, durations."""

import pytest
from tests.answers.passages import answer_sentences, find_best, hit
from tests.answers.questions import make_question

from lectern.answers.extractive.answer import rank_sentences, repeats_headings
from lectern.answers.extractive.scoring import SAME_LANGUAGE, Candidate
from lectern.answers.extractive.sentences import SentenceInContext, cut, list_sentences
from lectern.answers.questions import list_words, parse_question
from lectern.answers.text_analysis import content_words
from lectern.embeddings.provider import EmbeddingProvider
from lectern.search.presentation.sentences import Span
from lectern.search.query.analysis import analyze_query
from lectern.search.query.synonyms import load_synonyms

PRICES = (
    "Screws and fixings\nNumber Article EUR\nSKU-0042 Heavy-duty anchor, M10, 20 pieces. Zinc-plated steel. 22.60\n"
    "SKU-0044 Chain, galvanised, 4 mm. Sold by the metre. 3.10"
)
WEAKNESSES = (
    "Weaknesses\nA weakness is mended within the time of its severity.\nSeverity Open to the internet Internal\n"
    "Critical 48 hours 7 days\nHigh 7 days 30 days"
)
WAREHOUSE = (
    "Automation of the warehouse\nThe shelves were moved in spring. The project Alveare will bring 140 small robots to "
    "the warehouse by the end of 2027. It costs EUR 24 million and should pay back in a little more than six years."
)
RECORDS = (
    "Keeping of records\nDocuments about customers and transactions are kept for ten years after the end of the "
    "relationship. Copies of them that an authority asks for are handed out within three working days."
)


@pytest.mark.parametrize(
    ("sentence", "is_repeated"),
    [
        ("Leaving the company Handbook 2025", True),
        ("Leaving the Company.", True),
        ("The company handbook is about leaving.", True),
        ("Leaving the company takes 30 days.", False),
        ("Leaving the company 30", False),
        ("Badge, keys and devices are handed back on the last day.", False),
    ],
)
def test_line_of_headings_is_recognized(sentence: str, *, is_repeated: bool) -> None:
    under = hit(f"{sentence} x", page=2).model_copy(
        update={"document": "handbook-2025.pdf", "title": "Company handbook", "section_heading": "Leaving the company"}
    )
    candidate = Candidate(hit=under, span=Span(0, len(sentence)), features={}, model=SAME_LANGUAGE, probability=1.0)
    assert repeats_headings(candidate) is is_repeated


@pytest.mark.parametrize(
    ("line", "is_sentence"),
    [
        ("AHT-IG-03 · 2023 Page 1 of 1", False),
        ("Reisekosten · Seite 3 von 9", False),
        ("The form is on page 3 of 9.", True),
        ("AHT-IG-03 · 2023 Level P-5", True),
    ],
)
def test_line_with_page_number_is_no_answer(line: str, *, is_sentence: bool) -> None:
    texts = [one.text for one in list_sentences(hit(f"Shredding\nPaper is shredded on site.\n{line}"))]
    assert "Paper is shredded on site." in texts
    assert any(line in text for text in texts) is is_sentence


async def test_code_is_answered_by_its_row_only(provider: EmbeddingProvider) -> None:
    prices = hit(PRICES, content_type="table")
    answer = await answer_sentences("What is the price of SKU-0042?", [prices], provider)
    assert answer == ["Number Article EUR SKU-0042 Heavy-duty anchor, M10, 20 pieces. Zinc-plated steel. 22.60"]
    assert await answer_sentences("SKU-0044", [prices], provider) == [
        "Number Article EUR … SKU-0044 Chain, galvanised, 4 mm. Sold by the metre. 3.10"
    ]


async def test_row_is_quoted_with_its_header(provider: EmbeddingProvider) -> None:
    table = hit(WEAKNESSES, content_type="table")
    question = "How quickly must a critical weakness open to the internet be mended?"
    header = "Severity Open to the internet Internal"
    assert (await answer_sentences(question, [table], provider))[0] == f"{header} Critical 48 hours 7 days"
    other = "How fast must a high severity weakness be fixed on internal systems?"
    assert (await answer_sentences(other, [table], provider))[0] == f"{header} … High 7 days 30 days"


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What were net profit and equity in 2021?", ["Net profit", "Equity"]),
        ("Net sales, net profit and equity in 2021?", ["Net sales", "Net profit", "Equity"]),
        ("What was the net profit in 2021?", ["Net profit"]),
        ("What was the net profit in 2021 and 2025?", ["Net profit"]),
    ],
)
async def test_each_row_that_the_question_names_is_quoted(
    provider: EmbeddingProvider, question: str, names: list[str]
) -> None:
    rows = "Net sales 612,480 528,350\nNet profit 17,803 13,904\nEquity 171,680 134,182\nShops at year end 47 42"
    table = hit(f"Five years\nEUR thousand 2025 2021\n{rows}\nProfit and equity are audited.", content_type="table")
    found = await find_best(question, [table], provider)
    assert found[0].is_answer
    assert {one.row_name.strip() for one in found} == set(names)


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ("FV-102 Hammer 500 g 7.40", "FV-102 Hammer "),
        ("| Deferred tax | (129) | (182) |", "| Deferred tax | "),
        ("The guarantee does not cover lightning.", ""),
    ],
)
def test_name_of_a_row_ends_before_its_first_value(row: str, name: str) -> None:
    sentence = SentenceInContext(hit(row, content_type="table"), Span(0, len(row)), None, len(row))
    assert sentence.row_name == name


async def test_table_of_words_has_a_header(provider: EmbeddingProvider) -> None:
    rows = (
        "4. Data\nData Purpose Legal basis\nNames and addresses Running the account Contract\n"
        "Identity documents Due diligence Legal obligation\nHealth data Policies linked to mortgages Explicit consent"
    )
    (answer, *_) = await answer_sentences(
        "On which legal basis is health data used?", [hit(rows, content_type="table")], provider
    )
    assert answer == "Data Purpose Legal basis … Health data Policies linked to mortgages Explicit consent"


BONUS = (
    "Pay\nSalaries are paid on the 27th. The annual bonus depends on three things:\n\n| Part | Weight | Measured by |\n"
    "| --- | --- | --- |\n| Company result | 40 % | Operating profit against budget |\n"
    "| Shop or department | 35 % | Sales, waste, customer rating |\n| Personal goals | 25 % | Agreed in February |\n\n"
    "Staff discount is 15 % in all shops."
)


async def test_markdown_rows_follow_their_lead(provider: EmbeddingProvider) -> None:
    (answer, *_) = await answer_sentences(
        "How much of the annual bonus depends on personal goals?", [hit(BONUS)], provider
    )
    header = "The annual bonus depends on three things: Part | Weight | Measured by"
    assert answer == f"{header} … Personal goals | 25 % | Agreed in February"


async def test_lead_is_quoted_with_its_items(provider: EmbeddingProvider) -> None:
    (answer, *_) = await answer_sentences("What does the annual bonus depend on?", [hit(BONUS)], provider)
    assert answer == (
        "The annual bonus depends on three things: Part | Weight | Measured by; Company result | 40 % | Operating "
        "profit against budget; Shop or department | 35 % | Sales, waste, customer rating; "
        "Personal goals | 25 % | Agreed in February"
    )


@pytest.mark.parametrize(("begin", "is_item"), [("a)", True), ("2", True), ("A", False), ("I", False)])
def test_item_of_a_lead_begins_with_a_mark(begin: str, *, is_item: bool) -> None:
    text = f"Exam\nBring a pen and a ruler.\nTwo rules hold:\n1. Be in time.\n{begin} calculator is allowed."
    (lead,) = [one for one in list_sentences(hit(text)) if one.text == "Two rules hold:"]
    assert text[: lead.end].endswith("allowed.") is is_item


async def test_lead_without_items_is_no_answer(provider: EmbeddingProvider) -> None:
    cut = hit("Pay\nThe annual bonus depends on three things:")
    assert await answer_sentences("What does the annual bonus depend on?", [cut], provider) == []


def test_label_is_no_answer() -> None:
    letter = hit("Notice\nBranch of San Vito al Colle\nThe branch is open as usual while the bridge is closed.")
    texts = [one.text for one in list_sentences(letter)]
    assert texts == ["The branch is open as usual while the bridge is closed."]


async def test_question_of_the_document_is_answered_by_what_follows(provider: EmbeddingProvider) -> None:
    policy = hit("Privacy\nWhat information do we collect? Your name and address are stored when you place an order.")
    assert [one.text for one in list_sentences(policy)] == ["Your name and address are stored when you place an order."]
    (answer,) = await answer_sentences("What information do you collect?", [policy], provider)
    assert answer.endswith("Your name and address are stored when you place an order.")


def test_long_sentence_with_a_question_mark_is_no_question() -> None:
    broken = (
        "In 1870 he moved to the small town to attend the higher school, "
        "where he was taught mathematics for years by Martin Sekuli?"
    )
    texts = [one.text.strip() for one in list_sentences(hit(f"Life\n{broken} He left it after three years of study."))]
    assert broken in texts


async def test_duration_question_needs_a_duration(provider: EmbeddingProvider) -> None:
    cover = hit("Supply contract\nSupply contract with the foundry Valmorsa, signed in Borgo Selce by both parties.")
    assert await answer_sentences("How long does the contract with the foundry Valmorsa last?", [cover], provider) == []
    (answer,) = await answer_sentences("Who signed the contract with the foundry Valmorsa?", [cover], provider)
    assert "Borgo Selce" in answer


async def test_figures_below_a_time_unit_are_durations(provider: EmbeddingProvider) -> None:
    table = hit("Guarantees\nFamily Years\nGarden tools 12\nTaps Chiara 7\nMattresses 10", content_type="table")
    assert (await answer_sentences("How long is the guarantee of the taps Chiara?", [table], provider))[0].endswith(
        "Taps Chiara 7"
    )


async def test_sentence_is_quoted_with_its_context(provider: EmbeddingProvider) -> None:
    (answer, *_) = await answer_sentences("How much does project Alveare cost?", [hit(WAREHOUSE)], provider)
    assert answer.startswith("The project Alveare will bring")
    assert answer.endswith("It costs EUR 24 million and should pay back in a little more than six years.")


async def test_row_among_sentences_is_quoted_with_its_header(provider: EmbeddingProvider) -> None:
    text = (
        "4.1 Hotels\nThe limits per night, breakfast and taxes included, are shown below. They may be exceeded by\n"
        "20 per cent during trade fairs.\nPlace Limit per night (EUR) Meals per day (EUR)\nMilan, Rome, Venice 165 55\n"
        "London, Paris, Zurich, Geneva 230 75\nOther places in Europe 170 60"
    )
    (answer, *_) = await answer_sentences("What is the hotel limit per night in London?", [hit(text)], provider)
    header = "Place Limit per night (EUR) Meals per day (EUR)"
    assert answer == f"{header} … London, Paris, Zurich, Geneva 230 75"


STAFF = (
    "Numbers\nEmployees at year end 2025 2024\nShops 2,604 2,496\nHead office 267 258\nTotal 3,486 3,351\n"
    "Women are 47 per cent of employees and 38 per cent of shop managers. The average age is 41."
)


async def test_line_with_the_years_of_columns_is_a_header(provider: EmbeddingProvider) -> None:
    (answer, *_) = await answer_sentences("How many employees did the company have in 2025?", [hit(STAFF)], provider)
    assert answer == "Employees at year end 2025 2024 … Total 3,486 3,351"


async def test_prose_below_a_table_is_quoted_without_its_header(provider: EmbeddingProvider) -> None:
    rows = "Provisions\t2025\t2024\nWarranties\t2,946\t2,710\nDisputes\t512\t488\nOnerous leases\t380\t0\n"
    recall = "The provision for the recall covers 215 stoves and will be used within 12 months."
    table = hit(rows + recall, content_type="table")
    (answer, *_) = await answer_sentences("How many stoves does the recall cover?", [table], provider)
    assert answer == recall


async def test_row_of_several_figures_is_never_quoted_without_its_header(provider: EmbeddingProvider) -> None:
    (answer,) = await answer_sentences("How many people work at head office?", [hit(STAFF)], provider)
    assert answer == "Employees at year end 2025 2024 … Head office 267 258"


def test_lines_with_a_year_each_are_no_headers() -> None:
    history = "History\nFounded in 1998\nFirst shop abroad 2004\nQuercialta has grown by a shop a year for 20 years."
    texts = [one.text for one in list_sentences(hit(history))]
    assert texts[:2] == ["Founded in 1998", "First shop abroad 2004"]


def contexts(*rows: str) -> dict[str, str]:
    table = hit(
        "\n".join(["Numbers", f"| {rows[0]} |", "|---|", *(f"| {row} |" for row in rows[1:])]), content_type="table"
    )
    return {
        one.text.split("\n")[0].strip("| "): one.context_text.split("\n")[0].strip("| ")
        for one in list_sentences(table)
    }


def test_the_row_above_a_rule_is_the_header_however_long_and_with_figures() -> None:
    header = " | ".join(["Figure in EUR thousand", *(f"Q{quarter} 2024 audited" for quarter in (1, 2, 3, 4))])
    assert contexts(header, "Net profit | 1 | 2 | 3 | 4") == {"Net profit | 1 | 2 | 3 | 4": header}


def test_a_name_and_its_figure_above_a_rule_are_no_header() -> None:
    rows = ["Deposit | EUR 4,500", "Monthly rent | EUR 1,500", "Notice period | 6 months"]
    assert contexts(*rows) == dict.fromkeys(rows, "")
    assert contexts("Shops by year | 2025", "Palermo | 14") == {"Palermo | 14": "Shops by year | 2025"}


def test_each_table_of_a_chunk_has_its_own_header() -> None:
    rows = contexts("Boat | Berth", "Caorlina | A2", "Member | Fee in euro |\n|---|---|\n| Adults | 265")
    assert rows["Adults | 265"] == "Member | Fee in euro"
    assert rows["Caorlina | A2"] == "Boat | Berth"


def test_letters_of_a_spreadsheet_are_no_header() -> None:
    rows = contexts("A | B | C", "Category | 2024 | 2025", "Under eighteen | 120 | 132.5")
    assert rows["Under eighteen | 120 | 132.5"] == "Category | 2024 | 2025"


FILING = """Sales
Quarters\tFirst\tSecond
Ended\tMay 31, 2024\tAug 31, 2024
In thousands
Product lines:
Mowers\t$ 4,210\t$ 3,905
Trimmers\t812\t—
Services:
Repairs (1)\t96\t101
The following table shows sales by quarter and line. Sales of mowers rose because
the spring was wet. Returns are left out.
(1) Repairs are the hours billed to customers who bring a machine of their own."""
TERMS = """Storage
Data\tStored for\tCounted from
Contracts\tUntil replaced\tSignature
Invoices\t10 years\tEnd of the year
Images of an incident\tUntil it is closed\tIncident
Curricula\t12 months\tEnd of the selection"""


@pytest.mark.parametrize("content_type", ["text", "table"])
def test_rows_of_cells_have_the_header_and_title_of_their_group(content_type: str) -> None:
    passage = hit(FILING, content_type=content_type)
    rows = {one.text.split("\t")[0]: one for one in list_sentences(passage) if "\t" in one.text}
    assert list(rows) == ["Mowers", "Trimmers", "Repairs (1)"]
    assert {one.context_text for one in rows.values()} == {"\n".join(FILING.split("\n")[1:3])}
    titles = [" ".join(cut(passage, one.group).split()) if one.group else "" for one in rows.values()]
    assert titles == ["In thousands Product lines:", "In thousands Product lines:", "Services:"]


@pytest.mark.parametrize("content_type", ["text", "table"])
def test_rows_of_words_are_rows_among_rows_with_values(content_type: str) -> None:
    rows = [one for one in list_sentences(hit(TERMS, content_type=content_type)) if "\t" in one.text]
    assert [one.text for one in rows] == TERMS.split("\n")[2:]
    assert {one.context_text for one in rows} == {"Data\tStored for\tCounted from"}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "What were sales of trimmers in the quarter ended May 31, 2024?",
            "Quarters First Second Ended May 31, 2024 Aug 31, 2024 … In thousands Product lines: … Trimmers 812 —",
        ),
        ("Why did sales of mowers rise?", "Sales of mowers rose because the spring was wet."),
        ("What do repairs include?", "(1) Repairs are the hours billed to customers who bring a machine of their own."),
    ],
)
async def test_rows_answer_for_figures_and_sentences_for_reasons(
    provider: EmbeddingProvider, question: str, answer: str
) -> None:
    (first, *_) = await answer_sentences(question, [hit(FILING, content_type="table")], provider)
    assert first == answer


async def test_how_long_selects_the_matching_duration(provider: EmbeddingProvider) -> None:
    (answer, *_) = await answer_sentences("How long are documents about customers kept?", [hit(RECORDS)], provider)
    assert "ten years" in answer
    assert "three working days" not in answer


async def test_a_length_is_no_weight(provider: EmbeddingProvider) -> None:
    tools = hit("Garden tools\nHedge trimmer, body only. Blade 52 cm, tooth gap 20 mm. 99.00", content_type="table")
    assert not await answer_sentences("How much does the hedge trimmer weigh?", [tools], provider)


ARTICLE = (
    "Art. 12-bis - Energy clause\nIf the mean price of electricity is above 160 euro a megawatt hour, the supplier may "
    "ask for a surcharge. If it falls below 70 euro, the buyer may ask for a reduction. The surcharge holds for the "
    "following quarter and is shown on the invoice in a line of its own."
)


async def test_question_about_a_section_quotes_its_beginning(provider: EmbeddingProvider) -> None:
    (first, *more) = await answer_sentences("What does art. 12-bis say?", [hit(ARTICLE)], provider)
    assert first.startswith("If the mean price of electricity is above 160 euro")
    assert len(more) == 2


async def test_question_within_a_section_quotes_the_sentence(provider: EmbeddingProvider) -> None:
    (answer, *_) = await answer_sentences("Where is the surcharge of art. 12-bis shown?", [hit(ARTICLE)], provider)
    assert "shown on the invoice" in answer


async def test_currency_in_header_marks_prices(provider: EmbeddingProvider) -> None:
    table = hit(PRICES, content_type="table", score=0.5)
    stock = hit(PRICES.replace("Number Article EUR", "Number Article Stock"), content_type="table", score=0.5)
    (priced,), (other,) = [
        await find_best("What is the price of SKU-0042?", [passage], provider) for passage in (table, stock)
    ]
    assert "SKU-0042" in priced.text
    assert (priced.is_answer, other.is_answer) == (True, False)


async def test_sentence_that_answers_is_quoted_without_the_next_one(provider: EmbeddingProvider) -> None:
    answer = "The notice period is 30 days for shop and warehouse staff and 60 days for office staff."
    leaving = hit(f"Leaving\n{answer} On the last day you return badge, keys and devices, and we ask you for a talk.")
    assert await answer_sentences("What is the notice period for office staff?", [leaving], provider) == [answer]


async def test_rival_sentence_makes_an_answer_less_probable(provider: EmbeddingProvider) -> None:
    fee = hit("Fees\nThe fee for a transfer is EUR 12.")
    other = hit("Fees\nThe fee for a transfer abroad is EUR 30.", page=2)
    alone, among, repeated = [
        (await find_best("What is the fee for a transfer?", passages, provider))[0]
        for passages in ([fee], [fee, other], [fee, hit(fee.text, page=2)])
    ]
    assert alone.text == among.text == repeated.text == "The fee for a transfer is EUR 12."
    assert among.probability < alone.probability
    assert repeated.probability == pytest.approx(alone.probability, abs=0.01)


async def test_price_of_unknown_article_is_not_answered(provider: EmbeddingProvider) -> None:
    assert (
        await answer_sentences(
            "What is the price of SKU-9999?", [hit(PRICES, content_type="table", score=0.3)], provider
        )
        == []
    )


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Who is the CEO?", "The shop has been led by Bruno Altavilla, chief executive officer, since 2018."),
        ("What does the NDA protect?", "The non-disclosure agreement protects drawings and prices."),
    ],
)
async def test_term_is_found_by_its_synonym(provider: EmbeddingProvider, asked: str, answer: str) -> None:
    question = parse_question(analyze_query(asked, synonyms=load_synonyms()))
    assert question.names == frozenset()
    passages = [hit(f"The company\nIt sells tools and paint. {answer} It has 47 shops.", score=0.4)]
    known = await rank_sentences(question, passages, provider=provider)
    unknown = await rank_sentences(make_question(asked, language="en"), passages, provider=provider)
    assert (known[0].text, known[0].is_answer) == (answer, True)
    assert not unknown[0].is_answer


def test_lines_that_a_measure_is_computed_from_are_no_synonyms() -> None:
    question = parse_question(analyze_query("What is the operating margin?", synonyms=load_synonyms()))
    assert "margin" not in list_words("Net sales grew, operating income fell.", question)


def test_auxiliary_verbs_are_stop_words() -> None:
    assert content_words("Che cosa devo fare se un cliente deve pagare?") == content_words("cliente pagare")
