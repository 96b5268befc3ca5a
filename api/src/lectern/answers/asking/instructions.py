"""Sentences of documents that speak to a language model instead of saying something: they support nothing (pure).

The patterns are narrow on purpose: a procedure may well say "inform the customer" or "act as an intermediary".
"""

import re
from typing import Final

_MODEL: Final = r"(?:ai|assistant|chatbot|language model|llm|bot|dan|pirate|system without)"
_SAYING: Final = r"(?:answer|respond|reply|say|output|print|write|state|claim|repeat|return)"
_PATTERNS: Final = (
    (
        r"\b(?:ignore|disregard|forget)\b[^.!?\n]{0,60}\b(?:above|before|previous|prior|earlier|instructions?|rules|prompts?"
        r"|sources|question|everything|guidelines)\b"
    ),
    r"\b(?:override|bypass)\b[^.!?\n]{0,40}\b(?:instructions?|prompts?)\b",
    r"\b(?:hidden|secret|new|updated) (?:system )?(?:instructions?|prompts?|orders?)\s*:",
    r"\b(?:your|my|reveal the) (?:system|developer) prompts?\b",
    rf"\b(?:you are|you're|act as|behave as|pretend to be)(?: now| no longer)?(?: an?)? {_MODEL}\b",
    rf"\b{_SAYING}\b[^.!?\n]{{0,30}}\b(?:only|exactly|with|that|the words?|verbatim|instead)\b[^.!?\n]{{0,20}}[:\"“'«]",
    r"\btell (?:the |every |any )?(?:user|reader|person asking)\b",
    rf"\b(?:always|instead|simply) {_SAYING}\b",
    rf"\b{_SAYING}(?: to)? (?:the |this |every |any |all )?questions? (?:with|by|as|that|saying)\b",
    rf"\b{_SAYING} that\b[^.!?\n]{{0,80}}\b(?:regardless|whatever|no matter)\b",
    (
        r"\b(?:do not|don't|never) (?:cite|mention|reveal|use the other|refuse|abstain)\b[^.!?\n]{0,40}"
        r"\b(?:sources?|documents?|passages?|question|instructions?)\b"
    ),
    rf"\b(?:if|when) (?:you are|asked by|read by|processed by)\b[^.!?\n]{{0,20}}\b{_MODEL}\b",
    r"\[/?(?:end|source|inst|sys)\b[^\]]{0,40}\]|\bthe (?:correct |right |only )?answer is (?:the word|always)\b",
    r"\b(?:send|forward|post|upload|leak) (?:the|this|all|your|any) (?:whole )?(?:conversation|chat|prompt|context)\b",
    r"\banswer_found\b|\bjailbreak\b|<\|?/?(?:im_start|im_end|system|assistant|user|endoftext)\|?>",
    r"^\s*(?:#+\s*)?(?:system|assistant|developer|istruzioni|instructions?(?: (?:to|for) (?:the )?(?:ai|model))?)\s*:",
    (
        r"\b(?:ignora(?:re|te)?|dimentica(?:re|te)?)\b[^.!?\n]{0,60}\b(?:sopra|precedent[ei]|istruzion[ei]|regole|font[ei]"
        r"|domanda|quanto)\b"
    ),
    r"\b(?:rispond[ie]|afferma|dichiara)(?: alla domanda| alle domande)? (?:sempre|solo|soltanto|invece|che)\b",
    r"\bsei (?:ora |adesso )?(?:un |un')(?:assistente|ia|modello|chatbot)\b|\bnuove istruzioni\s*:",
    r"\bnon (?:citare|menzionare|rivelare)\b[^.!?\n]{0,40}\b(?:font[ei]|document[oi]|passagg[io])\b",
)
_INSTRUCTION: Final = re.compile("|".join(_PATTERNS), re.IGNORECASE | re.MULTILINE)


def is_instruction(sentence: str) -> bool:
    """Whether a sentence tells a model what to do: to ignore its instructions, to answer something, to be somebody."""
    return _INSTRUCTION.search(sentence) is not None
