"""Find the pages and sections that a query references (pure).

Pages: "on page 9", "alla seconda pagina", "the back cover". Sections: "art. 7", "section 4.2", "annex B".
"""

import re
from dataclasses import dataclass
from typing import Final

from lectern.search.query.language_patterns import any_of, list_patterns, number_words

MAX_PAGES: Final = 20  # a longer range does not narrow a search
MAX_SECTIONS: Final = 5

_PAGE: Final = any_of("pages.words")
_NUMBER: Final = r"\d{1,5}"
_NOT_A_PAGE: Final = r"(?!\d|\.\d|,\d{3}|\s*%)"  # "page 3.5", "p. 3,000" and "p. 3 %"
_WORD_JOINERS: Final = "|".join(rf"\b{word}\b" for word in list_patterns("pages.joiners"))
_RANGE_WORDS: Final = "|".join(rf"\b{word}\b" for word in list_patterns("pages.range_words"))
_JOINER: Final = rf"\s*(?:,(?!\d{{3}})|;|&|-|\u2013|{_WORD_JOINERS})\s*"
_PAGE_NUMBERS: Final = re.compile(
    rf"(?<!\w){_PAGE}\s*(?:n[.°o]*\s*|no\.\s*|#\s*)?({_NUMBER}(?:{_JOINER}{_NUMBER})*){_NOT_A_PAGE}", re.IGNORECASE
)
_RANGE: Final = re.compile(rf"({_NUMBER})\s*(?:-|\u2013|{_RANGE_WORDS})\s*({_NUMBER})", re.IGNORECASE)
_ORDINALS: Final = number_words("pages.ordinals")  # -1 is the last page
_ORDINAL_WORDS: Final = "|".join(_ORDINALS)
_ORDINAL_PAGE: Final = re.compile(
    rf"(?<!\w)(?:({_ORDINAL_WORDS})|({_NUMBER}){any_of('pages.ordinal_suffixes')})\s+(?:cover\s+)?{_PAGE}(?!\w)",
    re.IGNORECASE,
)
# "Second cover page" is an ordinal and not a cover.
_COVER: Final = re.compile(
    rf"(?P<back>\b{any_of('pages.back_covers')})|(?:{_ORDINAL_WORDS}|{_NUMBER}(?:st|nd|rd|th))\s+cover\s"
    rf"|(?P<front>\b{any_of('pages.front_covers')})",
    re.IGNORECASE,
)
_COVER_PAGES: Final = {"front": 1, "back": -1}

_SECTION_KINDS: Final = ("article", "section", "chapter", "annex")
_NUMBERED_ALONE: Final = frozenset({"section", "chapter"})  # their headings may leave the word out: "4.2 Risk"
_LABEL: Final = r"\d{1,3}(?:\.\d{1,3}){0,3}(?:[- ]?(?:bis|ter|quater|quinquies))?|[A-Z](?![\w.'’])|[IVX]{1,5}(?!\w)"
_SECTION: Final = re.compile(
    "|".join(
        rf"(?<!\w){any_of('sections.' + kind + '.query')}\s*(?:n[.°]\s*)?(?P<{kind}>(?-i:{_LABEL}))(?!\d|[.,]\d|\s*%)"
        for kind in _SECTION_KINDS
    ),
    re.IGNORECASE,
)
_LABEL_END: Final = r"(?![\w.,]*\d|\w|-\w)"
_NOT_A_ROW: Final = r"(?![.)]?\s+\d)"  # "4.2 12 March 2026" is a row of a table


@dataclass(frozen=True, slots=True)
class SectionPattern:
    """Patterns in lower case for the beginning of a section: as a recognized heading, and as a line of the text.

    Any line may begin with a whole number ("4 hammers"), so such a line also needs the word ("section 4").
    """

    heading: str
    line: str


def parse_page_references(query: str) -> tuple[int, ...]:
    """Return the page numbers in the query, ascending; -1 is the last page. More than MAX_PAGES count as none.

    >>> parse_page_references("What does the chart on page 9 say?"), parse_page_references("all'ultima pagina?")
    ((9,), (-1,))
    """
    pages: set[int] = set()
    for match in _PAGE_NUMBERS.finditer(query):
        for first, last in _RANGE.findall(match[1]):
            pages.update(range(int(first), min(int(last), int(first) + MAX_PAGES) + 1))
        pages.update(int(number) for number in re.findall(_NUMBER, match[1]))
    for word, number in _ORDINAL_PAGE.findall(query):
        pages.add(_ORDINALS[word.lower()] if word else int(number))
    pages.update(_COVER_PAGES[match.lastgroup] for match in _COVER.finditer(query) if match.lastgroup)
    pages.discard(0)
    return tuple(sorted(pages)) if len(pages) <= MAX_PAGES else ()


def parse_section_references(query: str) -> tuple[SectionPattern, ...]:
    """Return patterns for the sections in the query. More than MAX_SECTIONS count as none.

    >>> parse_section_references("What does section 4.2 say?") == parse_section_references("il paragrafo 4.2?")
    True
    """
    patterns: dict[SectionPattern, None] = {}
    for match in _SECTION.finditer(query):
        kind = match.lastgroup or ""
        word, written = any_of(f"sections.{kind}.heading"), match[kind].lower()
        label = re.sub(r"\\?[- ]", "[- ]?", re.escape(written)) + _LABEL_END
        with_word = rf"{word}\s*{label}"
        is_optional = kind in _NUMBERED_ALONE and written[0].isdigit()
        heading = rf"(?:{word}\s*)?{label}{_NOT_A_ROW}" if is_optional else with_word
        patterns[SectionPattern(heading, heading if "." in written else with_word)] = None
    return tuple(patterns) if len(patterns) <= MAX_SECTIONS else ()
