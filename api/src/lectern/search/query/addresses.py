"""Addresses and numbers of people in a passage, which its index has a term for ("@e-mail"; pure).

"What is the e-mail address of the office?" is answered by a passage that has one, and mostly not the word. A question
asks for them by names of the vocabulary; no word of a text or a question is a term with an @.
"""

import re
from collections.abc import Collection
from typing import Final, Literal

Address = Literal["e-mail", "web", "tel"]

# The same patterns as in `lectern_extract_contact_terms`; a test compares the two. Lengths are bounded, because a text
# without blanks would otherwise be scanned again from each character.
_PATTERNS: Final[dict[str, re.Pattern[str]]] = {
    "@e-mail": re.compile(r"[^\s@<>()\[\],;:]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,63}"),
    "@web": re.compile(r"https?://[^\s/][^\s<>\"]*|(?<![\w@./])www\.[\w-]+\.[^\W\d_]{2,}[^\s<>\"]*", re.IGNORECASE),
    "@tel": re.compile(
        r"(?<!\w)(?:tel|telefono|telephone|phone|fax)[^\w\n+(]{0,4}(?:(?:no|n|number|numero)[^\w\n+(]{0,3})?"
        r"\+?[\d(][\d ()./-]{5,}\d"
        r"|\+\d{1,3}[ .-]?\(?\d[\d ().-]{5,}\d|\(\d{3}\) ?\d{3}[-. ]\d{4}(?!\d)"
        r"|(?<![\d.,-])\d{3}[-.]\d{3}[-.]\d{4}(?![\d.,-])",
        re.IGNORECASE,
    ),
}
_AFTER: Final = ".,;:!?)]}'\u2019"  # a sentence goes on after an address


def term_of(address: Address) -> str:
    """The term of passages that have one."""
    return f"@{address}"


def find_addresses(text: str, terms: Collection[str]) -> list[tuple[int, int, str]]:
    """Start, end and term of each address in a text whose term is asked for, by their beginnings."""
    found = [
        (match.start(), match.start() + len(match[0].rstrip(_AFTER)), term)
        for term in terms
        if (pattern := _PATTERNS.get(term))
        for match in pattern.finditer(text)
    ]
    return sorted(found)
