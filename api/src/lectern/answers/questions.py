"""What a question asks for: a kind of answer, years and names it must be about, a count, a comparison (pure)."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from lectern.answers.extractive.answer_kinds import Kind, asked_kind
from lectern.answers.words import content_words, folded

_COMPARED: Final = re.compile(
    r"\b(compar\w+|differen\w+|versus|vs|both|each|between|than|higher|lower|confront\w+|paragon\w+|entramb\w+"
    r"|ciascun\w+|rispetto|tra|fra|più|meno)\b",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"(?<![\d.,/-])(?:FY\s?'?)?((?:19|20)\d\d)(?![\d]|[.,]\d)", re.IGNORECASE)
_SHORT_YEAR: Final = re.compile(r"\bFY\s?'?(\d\d)\b", re.IGNORECASE)
_NAME: Final = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w&’'-]*[\w]|\b[A-Z]\b")
_PERIOD: Final = re.compile(r"(?:fy|q|h)\d{1,4}")
_ALL_NOUNS_CAPITAL: Final = frozenset({"de"})
# Written like names, and none.
_NO_NAMES: Final = frozenset(
    folded(word)
    for word in (
        *(
            "I",
            "EUR",
            "USD",
            "GBP",
            "PDF",
            "FY",
            "Q1",
            "Q2",
            "Q3",
            "Q4",
            "January",
            "February",
            "March",
            "April",
            "May",
        ),
        *("June", "July", "August", "September", "October", "November", "December", "Monday", "Tuesday", "Wednesday"),
        *("Thursday", "Friday", "Saturday", "Sunday", "Figure", "Table", "Section", "Chapter", "Article", "Page"),
    )
)
_QUOTED: Final = re.compile(r"[\"“«‘']([^\"”»’']{1,200})[\"”»’']")
_PAGES: Final = re.compile(
    r"\b(how many pages|number of pages|page count|quante pagine|numero di pagine)\b", re.IGNORECASE
)
_WORDS: Final = re.compile(
    r"\b(how many words|number of words|word count|quante parole|numero di parole)\b", re.IGNORECASE
)
_TIMES: Final = re.compile(
    r"\b(?:how (?:often|many times)|quante volte|con quale frequenza)\s+(?:(?:is|are|does|do|did|was|were|has|have|"
    r"è|sono|viene|vengono|si)\s+)?(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_MENTIONED: Final = re.compile(
    r"\b(mention(?:s|ed)?|appears?|occurs?|named|cited|used|written|repeated|menzionat[oaie]|citat[oaie]|nominat[oaie]"
    r"|compar(?:e|ono)|appar(?:e|ono|iono)|ricorr(?:e|ono)|usat[oaie]|ripetut[oaie]|parla di|present[ei])\b",
    re.IGNORECASE,
)
_COUNTING: Final = re.compile(
    r"\b(how (?:often|many times)|quante volte|con quale frequenza|words?|terms?|parol[ae]|termin[ei]|documents?|files?"
    r"|document[oi]|ha(?:s|ve)?|contains?|contiene|long|lungo)\b",
    re.IGNORECASE,
)
# "How many pages may it have?" is answered by a rule, not by counting.
_ALLOWED: Final = re.compile(
    r"\b(may|must|can|could|shall|should|allowed|required|limit\w*|at (?:most|least)|max\w*|min\w*|può|possono"
    r"|dev(?:e|ono)|massim\w+|minim\w+|consentit\w+|richiest\w+)\b",
    re.IGNORECASE,
)
_INTRODUCED: Final = re.compile(
    r"^(?:(?:the|il|lo|la|l'|i|gli|le|un|una)\s*)?(?:(?:words?|terms?|names?|phrases?|expressions?|parol[ae]|termin[ei]"
    r"|nom[ei]|espression[ei])\s+)?",
    re.IGNORECASE,
)


# "How long is it?" is answered by "30 days": the word says what is asked for and need not be in the answer.
_MEASURE: Final = re.compile(
    r"\bhow\s+(?:big|deep|early|expensive|far|fast|frequently|heavy|high|large|late|long|old|often|quickly|soon|tall|thick|wide)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question as it is understood."""

    text: str
    kind: Kind
    words: tuple[str, ...]
    years: frozenset[str]
    names: frozenset[str]
    is_comparison: bool
    language: str | None


@dataclass(frozen=True, slots=True)
class Count:
    """A question that counting answers; `term` for how often something is named."""

    what: Literal["pages", "words", "term"]
    term: str | None = None


def understand(text: str, *, language: str | None) -> Question:
    """Read a question. In languages that write all nouns with a capital, names are not told apart."""
    return Question(
        text=text,
        kind=asked_kind(text),
        words=tuple(dict.fromkeys(content_words(_MEASURE.sub("how", text)))),
        years=years_in(text),
        names=frozenset() if language in _ALL_NOUNS_CAPITAL else names_in(text),
        is_comparison=_COMPARED.search(text) is not None,
        language=language,
    )


def years_in(text: str) -> frozenset[str]:
    """Years named, those of fiscal years too: "FY17" is 2017."""
    return frozenset(_YEAR.findall(text)) | {f"20{short}" for short in _SHORT_YEAR.findall(text)}


def names_in(text: str) -> frozenset[str]:
    """Folded words with a capital that do not begin a sentence."""
    found: set[str] = set()
    for match in _NAME.finditer(text):
        before = text[: match.start()].rstrip(" \"“«('‘")
        is_first = not before or before[-1] in ".!?:\n"
        name = folded(match[0].removesuffix("'s").removesuffix("’s"))
        if not is_first and name not in _NO_NAMES and len(name) > 1 and not _PERIOD.fullmatch(name):
            found.add(name)
    return frozenset(found)


def counted(text: str) -> Count | None:
    """What is to be counted; None for questions that ask for something else."""
    times = _TIMES.search(text)
    if times and _MENTIONED.search(times["rest"]):
        term = _term(times["rest"])
        return Count("term", term) if term else None
    if _PAGES.search(text):
        return Count("pages")
    return Count("words") if _WORDS.search(text) else None


def counted_in(text: str, term: str | None) -> str:
    """The question without what is counted: the words for where. Empty where it asks what a count may or must be."""
    if _ALLOWED.search(text):
        return ""
    rest = text.replace(term, " ") if term else text
    for phrase in (_PAGES, _WORDS, _COUNTING, _MENTIONED):
        rest = phrase.sub(" ", rest)
    return rest


def _term(rest: str) -> str | None:
    """What stands in quotation marks, else what stands before "mentioned", or behind it where nothing does."""
    quoted = _QUOTED.search(rest)
    if quoted:
        return quoted[1].strip() or None
    said = _MENTIONED.search(rest)
    assert said is not None
    before, after = rest[: said.start()], rest[said.end() :]
    if not before.strip() or re.fullmatch(r"\s*(?:is|are|si|it|viene|vengono|stat[oaie])\s*", before, re.IGNORECASE):
        before = re.split(r"\b(?:in|nel|nella|nello|nell'|nei|nelle)\b|\?", after, maxsplit=1)[0]
    return _INTRODUCED.sub("", before.strip()).strip(" ?.,\"'") or None
