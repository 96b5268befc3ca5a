"""Pages that a question names ("on page 9", "the last slide", "alla seconda pagina") (pure)."""

import re
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
    rf"(?<!\w)(?:({'|'.join(_ORDINALS)})|({_NUMBER})(?:st|nd|rd|th|ª|[èe]me|\.(?=\s)))\s+{_PAGE}(?!\w)", re.IGNORECASE
)


def named_pages(question: str) -> tuple[int, ...]:
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
    pages.discard(0)
    return tuple(sorted(pages)) if len(pages) <= MOST_PAGES else ()
