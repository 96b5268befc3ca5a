"""What kind of thing a question asks for, and whether a sentence has one (pure): English, Italian and a few words more.

Questions in other languages ask for `any`, about which a sentence tells nothing.
"""

import re
from collections.abc import Collection
from typing import Final, Literal

from lectern.answers.words import content_words, numbers

Kind = Literal["duration", "number", "date", "person", "any"]

_UNITS: Final = (
    r"seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?|secondi?|minut[oi]|or[ae]|giorn[oi]|settiman[ae]"
    r"|mes[ei]|trimestr[ei]|semestr[ei]|ann[oi]"
)
_MEASURES: Final = (
    r"limit|rate|price|cost|fee|amount|percentage|number|profit|revenue|ratio|margin|threshold|allowance|total|length"
    r"|weight"
)
_MISURE: Final = r"numero|importo|percentuale|prezzo|costo|limite|tasso|soglia|indennità|ammontare|quota"
_IS: Final = r"(?:è|era|è stat[oa])"
# The first of these in a question says what it asks for; of those that begin at one place, the first that fits.
_ASKED: Final[tuple[tuple[Kind, str], ...]] = (
    ("duration", rf"how (?:long|quickly|soon|often|frequently)|how many (?:\w+ )?(?:{_UNITS})\b"),
    ("duration", r"quanto (?:tempo|spesso|presto|anticipo|(?:è )?dura\w*)|con (?:che|quale) frequenza"),
    ("duration", rf"(?:ogni|entro|dopo) quant[oaie]|quant[aeio] (?:{_UNITS})\b|per quanto (?!riguarda|concerne)"),
    ("duration", r"what (?:is|was) the (?:\w+ )?duration"),
    ("number", r"how (?:many|much|far|old|large|big|high|fast|tall|deep|heavy|wide)|quant[aeio]"),
    (
        "number",
        rf"(?:what|which) (?:{_MEASURES}|percent|share|proportion|fraction)|(?:from|up to|below|above) what amount",
    ),
    ("number", rf"what (?:is|was|are|were) the (?:\w+ ){{0,3}}(?:{_MEASURES})\b|price of|cost of|prezzo d|costo d"),
    ("number", rf"qual(?:e|i)?(?: {_IS})?(?: il| lo| la| l['’])?\s?(?:{_MISURE})"),
    ("date", r"(?:since |until |by )?when|(?:what|which) (?:years?|date|days?|months?|decades?|century)"),
    ("date", r"(?:da |entro )?quando|(?:che|quale|quali) (?:ann[oi]|data|mes[ei]|giorn[oi]|secol[oi]|decenni[oi]?)"),
    ("date", rf"qual {_IS} (?:\w+ ){{0,3}}(?:l['’]anno|la data|il mese|il giorno)"),
    ("person", rf"who|whom|whose|chi|(?:what|which) (?:is|was) the name|qual {_IS} il nome"),
    ("any", r"what|which|where|why|how|che (?:cosa|tipo)|cosa|quale|quali|qual|dove|perch[éè]|come"),
)
_QUESTION_WORD: Final = re.compile(
    rf"\b(?:{'|'.join(f'(?P<{kind}_{place}>{pattern})' for place, (kind, pattern) in enumerate(_ASKED))})\b",
    re.IGNORECASE,
)
CURRENCY: Final = re.compile(r"[€$£¥]|\b(?:EUR|USD|GBP|CHF|JPY|euros?|dollars?|dollari|sterline|franchi)\b")
_NUMBER_WORDS: Final = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety"
    r"|hundred|thousand|half|twice|third|quarter|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici"
    r"|quindici|venti|trenta|quaranta|cinquanta|sessanta|novanta|cento|mille|metà|doppio|zero"
    r"|all|most|none|no|tutt[aeio]|nessun[oa]?|gran parte|maggiore? parte"
)
_NUMBER_WORD: Final = re.compile(rf"\b(?:{_NUMBER_WORDS})\b", re.IGNORECASE)
_DURATION: Final = re.compile(
    rf"\b(?:\d+(?:[.,]\d+)?|{_NUMBER_WORDS}|an?|each|every|several|few|un|una|ogni|qualche)"
    rf"[\s-](?:\w+\s){{0,2}}?(?:{_UNITS})\b"
    rf"|\b(?:(?:once|twice|times)\s(?:an?|each|every|per)|volt[ae]\s(?:all['’]|al|ogni|per|l['’]))\s?(?:{_UNITS})\b"
    r"|\b(?:daily|weekly|monthly|quarterly|yearly|annually|annual|immediately|the same day|until|quotidian\w+"
    r"|giornalier\w+|settimanal\w+|mensil\w+|trimestral\w+|annual[ei]|annualmente|immediatamente|subito"
    r"|lo stesso giorno|fino (?:a|al|alla|all['’])|finché|as long as|(?:for|per) (?:the |tutta )?(?:life|duration"
    r"|la durata)|permanent\w*|forever|indefinite\w*|never|always|mai|sempre)(?!\w)",
    re.IGNORECASE,
)
_UNIT: Final = re.compile(rf"\b(?:{_UNITS})\b", re.IGNORECASE)
_YEARS: Final = re.compile(r"(?<![\d.,/-])(?:1\d|20)\d\d(?![\d]|[.,]\d)")
_DATES: Final = re.compile(
    r"\b(?:january|february|march|april|(?-i:May)|june|july|august|september|october|november|december|gennaio|febbraio|marzo"
    r"|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|monday|tuesday|wednesday|thursday"
    r"|friday|saturday|sunday|luned|marted|mercoled|gioved|venerd|sabato|domenica|\d{1,2}[./]\d{1,2}[./]\d{2,4})"
    r"|\b(?:century|secolo|decade|anni (?:venti|trenta|quaranta|cinquanta|sessanta|settanta|ottanta|novanta)|\d0s"
    r"|a\.?c\.?|b\.?c\.?)\b"
    rf"|\b\d{{1,2}}:\d\d\b|\b(?:at|alle(?: ore)?)\s(?:\d{{1,2}}|{_NUMBER_WORDS}|noon|midnight|mezzogiorno|mezzanotte)\b"
    r"|\b\d{1,2}\s?(?:[ap]\.?m\b|o['’]clock)|\b\d{1,2}(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
# "When does it warn?" asks for an occasion as well as for a date or a time of day, and perhaps for a time limit.
_OCCASION: Final = re.compile(
    r"\b(?:when(?:ever)?|if|once|after|before|as soon as|quando|se|dopo|prima|appena|qualora|non appena)\b",
    re.IGNORECASE,
)
_CAPITAL: Final = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w’'-]+")


def asked_kind(text: str) -> Kind:
    """By the first interrogative: in "which licence applies when ..." the second is none."""
    found = _QUESTION_WORD.search(text)
    if found is None or found.lastgroup is None:
        return "any"
    place = int(found.lastgroup.rsplit("_", maxsplit=1)[1])
    return _ASKED[place][0]


def has_unit_of_time(text: str) -> bool:
    """Whether a header says that the figures below it are times: "Warranty (years)"."""
    return _UNIT.search(text) is not None


def has_kind(kind: Kind, sentence: str, *, question: str, words: Collection[str]) -> float:
    """Whether a sentence has what is asked for and the question has not: 0..1, one half where nothing certain is asked.

    `words` are the content words of the question.
    """
    if kind == "any":
        return 0.5
    if kind == "duration":
        return float(_DURATION.search(sentence) is not None)
    if kind == "number":
        return float(bool(numbers(sentence) - numbers(question)) or _NUMBER_WORD.search(sentence) is not None)
    if kind == "date":
        if set(_YEARS.findall(sentence)) - set(_YEARS.findall(question)) or _DATES.search(sentence):
            return 1.0
        return 0.5 if _OCCASION.search(sentence) or _DURATION.search(sentence) else 0.0
    asked = set(words)
    first = sentence.lstrip("•◦▪–- \n0123456789.()")
    names = [name for name in _CAPITAL.findall(sentence) if (keys := set(content_words(name))) and not keys & asked]
    return float(len(names) > 1 or (bool(names) and not first.startswith(names[0])))
