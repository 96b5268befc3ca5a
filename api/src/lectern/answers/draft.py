"""An answer as far as it has come."""

from dataclasses import dataclass, field
from typing import Literal

from lectern.answers.citations import Place
from lectern.answers.schemas import AnswerSentence, Citation, Mode, Reason, Usage, Vision


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What is to be said and how it came about; `places` are those of `citations`."""

    mode: Mode
    sentences: list[AnswerSentence] = field(default_factory=list[AnswerSentence])
    citations: list[Citation] = field(default_factory=list[Citation])
    places: list[Place] = field(default_factory=list[Place])
    reason: Reason | None = None
    evidence: float | None = None
    missing: list[str] = field(default_factory=list[str])
    model: str | None = None
    structured: Literal["json_schema", "json_object"] | None = None
    dropped_sentences: int = 0
    dropped_labels: int = 0
    usage: Usage | None = None
    vision: Vision | None = None
