"""URLs, tables, ranking and languages: what is made of a text without a file or a database."""

import uuid
from typing import Literal

import numpy as np
import pytest

from lectern.extraction.types import PageImageStatus
from lectern.extracts import languages
from lectern.extracts.ranking import rank_chunks
from lectern.extracts.urls import category_of, find_urls
from lectern.search.ranking.match import ChunkMatch

TEXTS = {
    "en": "The committee met on Tuesday to discuss the budget for the coming year and agreed to publish it.",
    "it": "Il comitato si è riunito martedì per discutere il bilancio del prossimo anno e ha deciso di pubblicarlo.",
    "de": "Der Ausschuss traf sich am Dienstag, um über den Haushalt des kommenden Jahres zu beraten.",
    "fr": "Le comité s'est réuni mardi pour discuter du budget de l'année prochaine et a décidé de le publier.",
    "es": "El comité se reunió el martes para discutir el presupuesto del próximo año y decidió publicarlo.",
    "pt": "O comitê reuniu-se na terça-feira para discutir o orçamento do próximo ano e decidiu publicá-lo.",
    "nl": "De commissie kwam dinsdag bijeen om de begroting voor het komende jaar te bespreken en te publiceren.",
    "pl": "Komitet spotkał się we wtorek, aby omówić budżet na nadchodzący rok i postanowił go opublikować.",
    "cs": "Výbor se sešel v úterý, aby projednal rozpočet na příští rok, a rozhodl se jej zveřejnit.",
    "sv": "Kommittén träffades på tisdagen för att diskutera budgeten för det kommande året och beslutade.",
    "fi": "Komitea kokoontui tiistaina keskustelemaan ensi vuoden talousarviosta ja päätti julkaista sen.",
    "hu": "A bizottság kedden ülésezett, hogy megvitassa a jövő évi költségvetést, és úgy döntött, közzéteszi.",
    "ro": "Comitetul s-a întrunit marți pentru a discuta bugetul pentru anul viitor și a decis să îl publice.",
    "tr": "Komite salı günü gelecek yılın bütçesini görüşmek üzere toplandı ve yayımlamaya karar verdi.",
    "el": "Η επιτροπή συνεδρίασε την Τρίτη για να συζητήσει τον προϋπολογισμό του επόμενου έτους.",
    "ru": "Комитет собрался во вторник, чтобы обсудить бюджет на следующий год, и решил его опубликовать.",
    "uk": "Комітет зібрався у вівторок, щоб обговорити бюджет на наступний рік, і вирішив його оприлюднити.",
    "ar": "اجتمعت اللجنة يوم الثلاثاء لمناقشة ميزانية العام المقبل وقررت نشرها على الموقع.",
    "he": "הוועדה התכנסה ביום שלישי כדי לדון בתקציב לשנה הבאה והחליטה לפרסם אותו באתר.",
    "ja": "委員会は火曜日に来年度の予算について話し合い、それを公表することを決めました。",
    "ko": "위원회는 화요일에 모여 내년 예산을 논의하고 이를 공개하기로 결정했습니다.",
    "hi": "बोर्ड ने कल शहर की शाखा बंद करने का निर्णय लिया।",
    "bn": "গ্রাহককে ত্রিশ দিনের মধ্যে অর্থ প্রদান করতে হবে।",
    "gu": "ગ્રાહકે ત્રીસ દિવસની અંદર ચુકવણી કરવી પડશે.",
    "kn": "ಗ್ರಾಹಕರು ಮೂವತ್ತು ದಿನಗಳಲ್ಲಿ ಪಾವತಿಸಬೇಕು.",
    "ml": "ഉപഭോക്താവ് മുപ്പത് ദിവസത്തിനുള്ളിൽ പണം നൽകണം.",
    "pa": "ਗਾਹਕ ਨੂੰ ਤੀਹ ਦਿਨਾਂ ਦੇ ਅੰਦਰ ਭੁਗਤਾਨ ਕਰਨਾ ਪਵੇਗਾ।",
    "ta": "வாடிக்கையாளர் முப்பது நாட்களுக்குள் பணம் செலுத்த வேண்டும்.",
    "te": "కస్టమర్ ముప్పై రోజుల్లో చెల్లించాలి.",
    "mr": "ग्राहकाने तीस दिवसांच्या आत पैसे भरणे आवश्यक आहे.",
    "ne": "यो नीति सबै कर्मचारीहरूमा लागू हुन्छ र हरेक वर्ष यसको समीक्षा गरिन्छ।",
    "ur": "یہ پالیسی تمام ملازمین پر لاگو ہوتی ہے اور ہر سال اس کا جائزہ لیا جاتا ہے۔",
    "fa": "این سیاست برای همه کارکنان اعمال می‌شود و هر سال بازبینی می‌شود.",
    "zh": "委员会星期二开会讨论明年的预算，并决定将其公布。",
}


@pytest.mark.parametrize(("language", "text"), TEXTS.items())
def test_each_of_these_languages_is_detected_and_named(language: str, text: str) -> None:
    (first, *_) = languages.vote(text)
    assert (first.language, first.name) == (language, languages.NAMES[language])


@pytest.mark.parametrize(
    ("language", "text"), [("el", "Καλημέρα σας"), ("he", "בוקר טוב"), ("ta", "காலை வணக்கம்"), ("ko", "안녕하세요")]
)
def test_two_words_are_enough_where_the_script_says_it(language: str, text: str) -> None:
    assert [one.language for one in languages.vote(text)] == [language]


def test_a_greeting_of_several_languages_is_none_of_them() -> None:
    assert languages.vote("शुभ प्रभात") == []


def test_the_language_of_most_parts_wins() -> None:
    votes = languages.vote((TEXTS["it"] + " ") * 20 + (TEXTS["en"] + " ") * 6)
    assert votes[0].language == "it"
    assert 0.5 < votes[0].share < 1
    assert languages.vote("12 345") == []


def test_urls_come_once_with_context_and_kind() -> None:
    image = "https://example.org/a.png"
    text = f"{'a' * 200} see https://api.example.org/v1/users?id=1 (or {image}), again {image}."
    found = find_urls(text)
    assert [(one.url, one.category) for one in found] == [
        ("https://api.example.org/v1/users?id=1", "api_endpoint"),
        ("https://example.org/a.png", "image"),
    ]
    assert len(found[0].context) <= 200 + len(found[0].url)
    assert text[found[1].char_start :].startswith(found[1].url)


@pytest.mark.parametrize(
    ("url", "category"),
    [
        ("https://example.org/#top", "navigation"),
        ("https://example.org/contact", "navigation"),
        ("https://example.org/api/items", "api_endpoint"),
        ("https://example.org/data.json", "api_endpoint"),
        ("https://example.org/logo.SVG?v=2", "image"),
        ("https://example.org/reports/2024", "general"),
    ],
)
def test_a_url_has_a_kind(url: str, category: str) -> None:
    assert category_of(url) == category


def chunk(index: int, text: str, content: Literal["text", "table"], *, importance: float = 0.5) -> ChunkMatch:
    return ChunkMatch(
        chunk_id=uuid.UUID(int=index), document_id=uuid.UUID(int=0), chunk_index=index, text=text, section_heading=None,
        section_path=[], page_number=1, last_page_number=1, char_start=0, char_end=len(text), token_count=9,
        content_type=content, importance=importance, language="en", document="", title=None,
        page_images=PageImageStatus.NONE, collection="", tags=[],
    )  # fmt: skip


def test_a_table_is_seen_beside_text_of_nearly_the_same_score() -> None:
    chunks = [chunk(i, f"net sales {i}", "text") for i in range(3)]
    chunks.append(chunk(3, "net sales 3", "table"))
    vectors = np.eye(4, dtype=np.float32)
    query = np.array([0.9, 0.8, 0.7, 0.6], dtype=np.float32)
    found = rank_chunks(chunks, "net sales", vectors=vectors, owners=[0, 1, 2, 3], query_vector=query, top_k=2)
    assert [hit.chunk_index for hit in found] == [0, 3]
    assert (found[0].semantic_rank, found[0].keyword_rank) == (1, 1)
    assert 0 < found[1].share < found[0].share <= 1


def test_of_equals_the_more_important_comes_first() -> None:
    plain = chunk(0, "other words", "text", importance=0.0)
    chunks = [plain, chunk(1, "net sales", "text", importance=1.0)]
    vectors = np.array([[1, 0], [0, 1]], dtype=np.float32)
    query = np.array([0.7, 0.6], dtype=np.float32)
    found = rank_chunks(chunks, "sales", vectors=vectors, owners=[0, 1], query_vector=query, top_k=5)
    assert [hit.chunk_index for hit in found] == [1, 0]
