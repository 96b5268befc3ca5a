"""Pages and sections that a question names ("on page 9", "alla seconda pagina"; "art. 7", "section 4.2") (pure)."""

import re
from dataclasses import dataclass
from typing import Final

MOST_PAGES: Final = 20  # of one question; a longer range is no place to look

_PAGE: Final = r"(?:pages?|pp?\.|pgs?\.?|slides?|pagin[ae]|pagg?\.|diapositiv[ae]|seiten?|folien?|p[áa]ginas?|blz\.?)"
_NUMBER: Final = r"\d{1,5}"
_BEYOND: Final = r"(?!\d|\.\d|,\d{3}|\s*%)"  # "page 3.5", "p. 3,000" and "p. 3 %" are no pages
_JOINT: Final = r"\s*(?:,(?!\d{3})|;|&|-|\u2013|\band\b|\bor\b|\bto\b|\be\b|\bo\b|\ba\b|\bund\b|\bet\b|\by\b)\s*"
_AFTER: Final = re.compile(
    rf"(?<!\w){_PAGE}\s*(?:n[.°o]*\s*|no\.\s*|#\s*)?({_NUMBER}(?:{_JOINT}{_NUMBER})*){_BEYOND}", re.IGNORECASE
)
_RANGE: Final = re.compile(rf"({_NUMBER})\s*(?:-|\u2013|\bto\b|\ba\b)\s*({_NUMBER})", re.IGNORECASE)

# Ordinals as written before the word; -1 is the last page.
_ORDINALS: Final = {
    word: number
    for number, words in {
        1: "first prima erste ersten première primera",
        2: "second seconda zweite zweiten deuxième segunda",
        3: "third terza dritte dritten troisième tercera",
        4: "fourth quarta vierte vierten quatrième cuarta",
        5: "fifth quinta fünfte fünften cinquième quinta",
        6: "sixth sesta sechste sechsten sixième sexta",
        7: "seventh settima siebte siebten septième séptima",
        8: "eighth ottava achte achten huitième octava",
        9: "ninth nona neunte neunten neuvième novena",
        10: "tenth decima zehnte zehnten dixième décima",
        -1: "last ultima letzte letzten dernière última",
    }.items()
    for word in words.split()
}
_ORDINAL: Final = re.compile(
    rf"(?<!\w)(?:({'|'.join(_ORDINALS)})|({_NUMBER})(?:st|nd|rd|th|ª|[èe]me|\.(?=\s)))\s+(?:cover\s+)?{_PAGE}(?!\w)",
    re.IGNORECASE,
)
# Pages by what they are: the first with the title, the last outside. "Second cover page" is an ordinal.
_COVERS: Final = re.compile(
    rf"(?P<back>\bback\s+cover\b|\bquarta\s+di\s+copertina\b)"
    rf"|(?:{'|'.join(_ORDINALS)}|{_NUMBER}(?:st|nd|rd|th))\s+cover\s"
    r"|(?P<front>\b(?:cover|title|front)\s+page\b|\bon\s+the\s+cover\b|\bfront\s+cover\b"
    r"|\bcopertina\b|\bfrontespizio\b|\btitelseite\b|\bdeckblatt\b|\bpage\s+de\s+(?:couverture|garde|titre)\b|\bportada\b)",
    re.IGNORECASE,
)


def parse_page_references(question: str) -> tuple[int, ...]:
    """The pages that a question names, ascending; -1 is the last page. Empty where it names none, or too many.

    >>> named_pages("What does the chart on page 9 say?"), named_pages("Che cosa c'è all'ultima pagina?")
    ((9,), (-1,))
    """
    pages: set[int] = set()
    for match in _AFTER.finditer(question):
        for first, last in _RANGE.findall(match[1]):
            pages.update(range(int(first), min(int(last), int(first) + MOST_PAGES) + 1))
        pages.update(int(number) for number in re.findall(_NUMBER, match[1]))
    for word, number in _ORDINAL.findall(question):
        pages.add(_ORDINALS[word.lower()] if word else int(number))
    for match in _COVERS.finditer(question):
        pages.update({"front": (1,), "back": (-1,)}.get(match.lastgroup or "", ()))
    pages.discard(0)
    return tuple(sorted(pages)) if len(pages) <= MOST_PAGES else ()


MOST_SECTIONS: Final = 5  # of one question

# How questions name a section and how headings do, which may leave the word out ("4.2 Risk") where it says so.
_SECTIONS: Final[tuple[tuple[str, str, bool], ...]] = (
    (r"art(?:\.|icles?|icol[oi])?|artt\.", r"art(?:\.|icle|icolo)?", False),
    (
        r"sections?|sect?\.|sezion[ei]|paragraphs?|paragraf[oi]|par\.|clauses?|clausol[ae]|points?|punt[oi]|§",
        r"(?:section|sezione|paragraph|paragrafo|clause|clausola|§)",
        True,
    ),
    (r"chapters?|capitol[oi]|cap\.|kapitel|chapitre", r"(?:chapter|capitolo|cap\.|kapitel|chapitre)", True),
    (
        r"annex(?:es)?|appendix|appendices|allegat[oi]|appendic[ei]|anhang|annexe|anexo",
        r"(?:annex|appendix|allegato|appendice|anhang|annexe|anexo)",
        False,
    ),
)
_LABEL: Final = r"\d{1,3}(?:\.\d{1,3}){0,3}(?:[- ]?(?:bis|ter|quater|quinquies))?|[A-Z](?![\w.'’])|[IVX]{1,5}(?!\w)"
_NAMED_SECTION: Final = re.compile(
    "|".join(
        rf"(?<!\w)(?:{words})\s*(?:n[.°]\s*)?(?P<s{place}>(?-i:{_LABEL}))(?!\d|[.,]\d|\s*%)"
        for place, (words, _, _) in enumerate(_SECTIONS)
    ),
    re.IGNORECASE,
)
_END: Final = r"(?![\w.,]*\d|\w|-\w)"
_NO_ROW: Final = r"(?![.)]?\s+\d)"  # "4.2 12 March 2026" is a row of a table


@dataclass(frozen=True, slots=True)
class SectionPattern:
    """Patterns, for lower case, of how a section's heading begins: where it is known as one, and as a line of the text.

    A whole number may begin any line ("4 hammers"), so that there its word must stand before it ("section 4").
    """

    heading: str
    line: str


def parse_section_references(question: str) -> tuple[SectionPattern, ...]:
    """The sections that a question names ("art. 7", "section 4.2", "annex B"); () where it names none, or too many.

    >>> named_sections("What does section 4.2 say?") == named_sections("Che cosa dice il paragrafo 4.2?")
    True
    """
    found: dict[SectionPattern, None] = {}
    for match in _NAMED_SECTION.finditer(question):
        _, word, is_bare = _SECTIONS[int((match.lastgroup or "s0")[1:])]
        written = match[match.lastgroup or "s0"].lower()
        label = re.sub(r"\\?[- ]", "[- ]?", re.escape(written)) + _END
        alone = rf"(?:{word}\s*)?{label}{_NO_ROW}" if is_bare and written[0].isdigit() else rf"{word}\s*{label}"
        found[SectionPattern(alone, alone if "." in written else rf"{word}\s*{label}")] = None
    return tuple(found) if len(found) <= MOST_SECTIONS else ()
