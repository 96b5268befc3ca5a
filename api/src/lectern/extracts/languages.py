"""Detect the language of a text by a vote of its parts."""

from collections import Counter
from typing import Final

from lectern.chunking.languages import choose_language, classify_text, detect_language
from lectern.extracts.schemas import LanguageVote

NAMES: Final = {
    "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek",
    "en": "English", "es": "Spanish", "fa": "Persian", "fi": "Finnish", "fr": "French", "gu": "Gujarati",
    "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "it": "Italian",
    "ja": "Japanese", "kn": "Kannada", "ko": "Korean", "ml": "Malayalam", "mr": "Marathi", "ne": "Nepali",
    "nl": "Dutch", "no": "Norwegian", "pa": "Punjabi", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sv": "Swedish", "ta": "Tamil", "te": "Telugu", "tr": "Turkish",
    "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
# Scripts that one of these languages alone is written in: the model is not needed, and a few words are enough.
_BY_SCRIPT: Final = {
    "bn": (0x0980, 0x09FF), "el": (0x0370, 0x03FF), "gu": (0x0A80, 0x0AFF), "he": (0x0590, 0x05FF),
    "kn": (0x0C80, 0x0CFF), "ko": (0xAC00, 0xD7A3), "ml": (0x0D00, 0x0D7F), "pa": (0x0A00, 0x0A7F),
    "ta": (0x0B80, 0x0BFF), "te": (0x0C00, 0x0C7F),
}  # fmt: skip
# Scripts of several languages: the model chooses between these.
_SHARED_SCRIPTS: Final = {("hi", "mr", "ne"): (0x0900, 0x097F), ("ar", "fa", "ur"): (0x0600, 0x06FF)}
_OTHERS: Final = tuple(sorted(NAMES.keys() - _BY_SCRIPT.keys() - {name for names in _SHARED_SCRIPTS for name in names}))
_VOTERS: Final = 15
_PART_CHARACTERS: Final = 300


def vote(text: str) -> list[LanguageVote]:
    """Return the languages of up to fifteen parts of the text, most frequent first."""
    parts = [text[start : start + _PART_CHARACTERS] for start in range(0, len(text), _PART_CHARACTERS)]
    step = max(1, -(-len(parts) // _VOTERS))
    detected = [_language_of(part) for part in parts[::step]]
    votes = Counter(language for language in detected if language)
    return [
        LanguageVote(language=language, name=NAMES[language], share=round(count / votes.total(), 3))
        for language, count in votes.most_common()
    ]


def _language_of(part: str) -> str:
    """Return the language by script if that is unique, else by the model."""
    letters = sum(character.isalpha() for character in part) or 1
    kana = sum("ぁ" <= character <= "ヿ" for character in part)
    han = sum("一" <= character <= "鿿" for character in part)
    if (kana + han) * 2 > letters:
        return "ja" if kana else "zh"
    codes = [ord(character) for character in part if character.isalpha()]
    for language, (first, last) in _BY_SCRIPT.items():
        if sum(first <= code <= last for code in codes) * 2 > letters:
            return language
    for languages, (first, last) in _SHARED_SCRIPTS.items():
        if sum(first <= code <= last for code in codes) * 2 > letters:
            return choose_language(classify_text(part, languages=languages)) or ""
    return detect_language(part, languages=_OTHERS) or ""
