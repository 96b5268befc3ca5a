"""Sentences of documents that speak to a language model instead of saying something: they support nothing (pure).

The patterns are narrow on purpose: a procedure may well say "inform the customer" or "act as an intermediary".
"""

import re
from typing import Final

_MODEL: Final = r"(?:ai|assistant|chatbot|language model|llm|bot|dan|pirate|system without)"
_SAYING: Final = r"(?:answer|respond|reply|say|output|print|write|state|claim|repeat|return)"
_MACHINE: Final = r"(?:ai|llms?|(?:large )?language models?|chatbots?)(?: (?:agents?|assistants?|models?|systems?))?"
_MACCHINA: Final = r"(?:assistente|ia|intelligenza artificiale|modello|chatbot)"
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
        r"\b(?:sources?|passages?|question|instructions?|(?:these|this|the|other|your) documents?)\b"
    ),
    rf"\b(?:if|when) (?:you are|asked by|read by|processed by)\b[^.!?\n]{{0,20}}\b{_MODEL}\b",
    r"\[/?(?:end|source|inst|sys)\b[^\]]{0,40}\]|\bthe (?:correct |right |only )?answer is (?:the word|always)\b",
    r"\b(?:send|forward|post|upload|leak) (?:the|this|all|your|any) (?:whole )?(?:conversation|chat|prompt|context)\b",
    (
        r"\b(?:pay no attention to|take no notice of)\b[^.!?\n]{0,40}"
        r"\b(?:above|before|preceding|instructions?|rules|sources)\b"
    ),
    r"\binstructions? (?:that )?you (?:were|have been|are) given\b|</?(?:instructions?|prompt|system_prompt)>",
    (
        r"(?:^|\|)\W*(?:(?:note|message|notice|attention|warning)(?: (?:to|for))?|to|for) (?:the |any |all )?"
        rf"{_MACHINE}(?: reading this)?\s*:"
    ),
    rf"\b{_MACHINE} (?:must|should|shall|will) (?:{_SAYING}|report)\b",
    r"\bas an? (?:ai|language model|llm)\b[^.!?\n]{0,20}\b(?:must|should)\b",
    rf"\byour (?:new |real |only )?task is (?:now )?to {_SAYING}\b",
    r"\banswer_found\b|\bjailbreak\b|<\|?/?(?:im_start|im_end|system|assistant|user|endoftext)\|?>",
    r"^\s*(?:#+\s*)?(?:system|assistant|developer|istruzioni|instructions?(?: (?:to|for) (?:the )?(?:ai|model))?)\s*:",
    (
        r"\b(?:ignora(?:re|te)?|dimentica(?:re|te)?)\b[^.!?\n]{0,60}\b(?:sopra|precedent[ei]|precede|istruzion[ei]|regole|font[ei]"
        r"|domanda|quanto)\b"
    ),
    (
        r"\b(?:trascura(?:re|te)?|non (?:tenere|tieni|tenete) conto)\b[^.!?\n]{0,30}"
        r"\b(?:quanto (?:scritto|detto|precede)|istruzion[ei]|regole|font[ei])\b"
    ),
    r"\brispondi(?: alla domanda| alle domande)? (?:sempre|solo|soltanto|invece|che)\b",
    r"(?:^|\|)\W*afferma che\b|(?:^|\|)\W*(?:afferma|dichiara) (?:sempre|solo|soltanto)\b",
    r"\b(?:rispondi|scrivi)(?: alla domanda| alle domande| a ogni domanda)?(?: con (?:la parola|le parole))?\s*[:\"“«]",
    r"\brispondi (?:alla domanda|alle domande|a ogni domanda) con\b|\bnon usare (?:le )?altre fonti\b",
    r"\bdevi (?:rispondere|dire|affermare|dichiarare|scrivere) (?:che|sempre|solo|soltanto)\b",
    r"\bda ora in poi\b[^.!?\n]{0,20}\b(?:sei|rispondi|dirai)\b",
    r"(?:^|\|)\W*(?:di'|dì|comunica|riferisci) (?:all'utente|al lettore)\b",
    r"\bl'unica risposta (?:giusta|corretta|esatta)\b|\brisposta (?:giusta|corretta|esatta) è (?:sempre|la parola)\b",
    rf"\bsei (?:ora |adesso )?(?:un |un'){_MACCHINA}\b|\bnuove istruzioni\s*:",
    r"(?:^|\|)\W*(?:messaggio (?:di|del) sistema\s*:|\[sistema\])",
    (
        rf"(?:^|\|)\W*(?:nota|messaggio|avviso) per (?:l'|il |ogni |gli |i )?(?:{_MACCHINA}|assistenti|modelli)"
        r"(?: virtuale| linguistic[oi]| ia)?\s*:"
    ),
    r"\bnon (?:citare|menzionare|rivelare)\b[^.!?\n]{0,40}\b(?:font[ei]|passagg[io]|quest[oi] document[oi])\b",
    r"\bignorier\w*\b[^.!?\n]{0,60}\b(?:anweisung\w*|obig\w*|quellen)\b",
    r"\bignor[aeo]\w*\b[^.!?\n]{0,60}\b(?:instrucciones|instruções|consignes|anteriores)\b",
)
_INSTRUCTION: Final = re.compile("|".join(_PATTERNS), re.IGNORECASE | re.MULTILINE)


def is_instruction(sentence: str) -> bool:
    """Whether a sentence tells a model what to do: to ignore its instructions, to answer something, to be somebody."""
    return _INSTRUCTION.search(sentence) is not None
