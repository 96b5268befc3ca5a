"""Companies named with their legal form: a passage about Alfa Spa is no answer about Gamma Spa (pure)."""

import re
from typing import Final

from lectern.answers.words import folded

_FORMS: Final = r"s\.?p\.?a|s\.?r\.?l|inc|corp|ltd|llc|plc|gmbh|ag|n\.v|b\.v"
_COMPANY: Final = re.compile(rf"([A-ZÀ-ÖØ-Þ][\w&’'-]+),?\s+(?i:{_FORMS})\b")


def contradicts_company(question: str, passage: str, *, document: str) -> bool:
    """Whether the passage names companies and what is shown of its document none that the question asks about.

    A company is known by the word before its legal form; the document may write it without that.
    """
    asked = _companies(question)
    if not asked or not _companies(passage):
        return False
    plain = folded(document)
    return not any(name in plain for name in asked)


def _companies(text: str) -> set[str]:
    return {folded(match[1]) for match in _COMPANY.finditer(text)}
