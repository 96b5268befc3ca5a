"""Words that turn what is said of a figure into its opposite: risen and fallen, at least and at most (pure)."""

import re
from typing import Final

_PAIRS: Final = tuple(
    (re.compile(rf"\b(?:{one})\b", re.IGNORECASE), re.compile(rf"\b(?:{other})\b", re.IGNORECASE))
    for one, other in (
        (
            r"increas\w+|rise|rises|risen|rose|rising|grew|grows?|grown|growth|aument\w+|cresc\w+|cresciut\w+|salit\w",
            r"decreas\w+|falls?|fell|fallen|declin\w+|dropp?\w*|reduc\w+|diminui\w+|cal[oò]|calat\w|sces[oaie]|ridott\w",
        ),
        (
            r"at least|minimum|no less than|not less than|almeno|minim[oaie]|non meno di",
            r"at most|maximum|no more than|not more than|up to|al massimo|massim[oaie]|non più di|fino a",
        ),
        (
            r"more than|over|above|exceed\w*|oltre|più di|superior[ei]",
            r"less than|under|below|meno di|inferior[ei]|sotto",
        ),
        (r"before|prima", r"after|dopo"),
        (r"profits?|gains?|util[ei]|guadagn\w+", r"loss(?:es)?|perdit[ae]"),
        (r"must|shall|required?|mandatory|obbligator\w+|dev(?:e|ono)", r"may|optional|facoltativ\w+|può|possono"),
        (r"includ\w+|inclus\w+|compres[oaie]", r"exclud\w+|exclusive of|esclus\w+"),
    )
)


def contradict(sentence: str, support: str) -> bool:
    """Whether one of them says a word, and the other its opposite and not the word."""
    return any(
        (_says_only(sentence, one, other) and _says_only(support, other, one))
        or (_says_only(sentence, other, one) and _says_only(support, one, other))
        for one, other in _PAIRS
    )


def _says_only(text: str, word: re.Pattern[str], opposite: re.Pattern[str]) -> bool:
    return word.search(text) is not None and opposite.search(text) is None
