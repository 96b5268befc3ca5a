"""Words as answers compare them: folded, cut to a stem, without those that say nothing (pure)."""

import re
import unicodedata
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+(?:[-.,'’/][^\W_]+)*%?")
_NUMBER: Final = re.compile(r"\d+(?:[.,'’\u00a0\u202f]\d+)*")
_STEM_LETTERS: Final = 6
# Of English verbs and plurals, in which short words differ within their first letters: book, booked; carry, carries.
_ENDING_OF_Y: Final = re.compile(r"(?<=[a-z][b-df-hj-np-tv-z])ie[sd]$")
_ENDING: Final = re.compile(r"(?:(?<=[a-z][aeiouy][a-z])|(?<=[aeiouy][b-df-hj-np-tv-z]{2}))(?:ed|ing)$")
_SHORTEST_DOUBLED: Final = 3  # "added" is of "add"
_DOUBLED: Final = frozenset(2 * letter for letter in "bdgmnprt")
_SHORTEST: Final = 2

# Words of questions and of grammar in the languages that are told apart; a word that is missing only weighs a little.
_SILENT_WORDS: Final = """
    a about above after all also an and any are as at be been before being between both but by can could did do does
    doing during each few for from had has have having he her here his how i if in into is it its many may me more most
    much must my no nor of off on once only or other our out over own per please same say shall she should so some such
    tell than that the their them then there these they this those through to too under until up was we were what when
    where which while who whom whose why will with would you your according document documents
    al alla alle agli allo ai anche che chi ci come con cosa cui da dagli dai dal dalla dalle dallo degli dei del della
    delle dello di dove e ed ed è era erano essere fra gli ha hanno ho i il in io la le lei li lo loro ma mi ne nei nel
    nella nelle nello negli non o ogni per perché più può possono qual quale quali quando quanta quante quanti quanto
    quella quelle quelli quello questa queste questi questo se si sia sono su sua sue sui sugli sul sulla sulle suo
    suoi tra tutti tutte tutto un una uno vi viene vengono secondo documento documenti dell nell sull dall quell
    compare compared comparison difference differences differ confronta confronto differenza differenze paragona
    der die das den dem des ein eine einer eines einem und oder ist sind war waren wie was wer wo wann warum welche
    welcher welches im von zu zum zur mit auf für an aus bei nach
    le les un une des du de et ou est sont était qui que quoi quel quelle quels quelles où quand comment pourquoi dans
    sur avec pour par au aux ce cette ces
    el los las un una unos unas y es son era quién qué cuál cuáles cuándo dónde cómo cuánto cuánta cuántos en con por
    para os as um uma uns e ou é são quem que qual quais quando onde como quanto no na nos nas do da dos das
    de het een en of is zijn was wie wat waar wanneer hoe welke van te op met voor aan uit bij naar
"""


def folded(word: str) -> str:
    """Lower case, without accents, one kind of apostrophe."""
    decomposed = unicodedata.normalize("NFKD", word.casefold().replace("’", "'"))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


_SILENT_FOLDED: Final = frozenset(folded(word) for word in _SILENT_WORDS.split())


def content_words(text: str) -> list[str]:
    """Keys of the words that say something, in order; numbers are left to `numbers`."""
    keys: list[str] = []
    for match in _WORD.finditer(text):
        for part in re.split(r"['’/-]", match[0]):
            word = folded(part)
            if len(word) >= _SHORTEST and word not in _SILENT_FOLDED and not word[0].isdigit():
                keys.append(_stem(word))
    return keys


def _stem(word: str) -> str:
    stem = _ENDING.sub("", _ENDING_OF_Y.sub("y", word))
    if stem != word and stem[-2:] in _DOUBLED and len(stem) > _SHORTEST_DOUBLED:
        stem = stem[:-1]
    return stem[:_STEM_LETTERS] if len(stem) > _STEM_LETTERS else _singular(stem)


def _singular(word: str) -> str:
    """Without the last vowel or s, in which number and gender show: fee and fees, conto and conti."""
    shorter = word.removesuffix("s") if len(word) > 3 else word  # noqa: PLR2004 - "gas" keeps its s
    return shorter[:-1] if len(shorter) > 3 and shorter[-1] in "aeiou" else shorter  # noqa: PLR2004 - "due" keeps its e


def numbers(text: str) -> set[str]:
    """Numbers of a text as they are worth: "15,000.00", "15.000" and "15000" are one."""
    return {normal_number(match[0]) for match in _NUMBER.finditer(text)}


def normal_number(written: str) -> str:
    """One spelling for a number, whichever of point and comma parts the thousands.

    A single sign with exactly three digits behind it parts thousands, unless the number begins with 0.
    """
    plain = re.sub(r"['’\u00a0\u202f]", "", written)
    groups = re.split(r"[.,]", plain)
    signs = re.findall(r"[.,]", plain)
    if not signs:
        return plain.lstrip("0") or "0"
    is_last_decimal = len(set(signs)) > 1 or (len(signs) == 1 and (len(groups[-1]) != 3 or groups[0] in {"", "0"}))  # noqa: PLR2004 - thousands have three digits
    whole = "".join(groups[:-1]) if is_last_decimal else "".join(groups)
    rest = groups[-1].rstrip("0") if is_last_decimal else ""
    return (whole.lstrip("0") or "0") + (f".{rest}" if rest else "")


_DENIAL: Final = re.compile(
    r"\b(?:not|no|never|none|neither|nor|cannot|without|\w+n['’]t|non|nessun[oa]?|né|mai|senza|nulla|niente|nicht|kein\w*"
    r"|nie|pas|jamais|aucune?|sin|nunca|ning[uú]n[oa]?|não|nem|niet|geen|nooit)\b",
    re.IGNORECASE,
)


def denies(text: str) -> bool:
    """Whether the text says that something is not so."""
    return _DENIAL.search(text) is not None
