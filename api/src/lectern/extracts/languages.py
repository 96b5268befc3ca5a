"""Detect the language of a text by a vote of its parts."""

from collections import Counter
from typing import Final, NamedTuple

from lectern.chunking.languages import detect_language

NAMES: Final = {
    "ar": "Arabic", "bg": "Bulgarian", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
    "es": "Spanish", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian",
    "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch",
    "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak",
    "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
# Scripts that one of these languages alone is written in: the model is not needed, and a few words are enough.
_BY_SCRIPT: Final = {"ko": "가힣", "hi": "ऀॿ", "el": "ͰϿ", "he": "֐׿"}
_VOTERS: Final = 15
_PART_CHARACTERS: Final = 300


class Vote(NamedTuple):
    """A language, its name, and its share of the parts."""

    language: str
    name: str
    share: float


def vote(text: str) -> list[Vote]:
    """Return the languages of up to fifteen parts of the text, most frequent first."""
    parts = [text[start : start + _PART_CHARACTERS] for start in range(0, len(text), _PART_CHARACTERS)]
    step = max(1, -(-len(parts) // _VOTERS))
    detected = [_language_of(part) for part in parts[::step]]
    votes = Counter(language for language in detected if language)
    return [Vote(language, NAMES[language], count / votes.total()) for language, count in votes.most_common()]


def _language_of(part: str) -> str:
    """Return the language by script if that is unique, else by the model."""
    letters = sum(character.isalpha() for character in part) or 1
    kana = sum("ぁ" <= character <= "ヿ" for character in part)
    han = sum("一" <= character <= "鿿" for character in part)
    if (kana + han) * 2 > letters:
        return "ja" if kana else "zh"
    for language, (first, last) in _BY_SCRIPT.items():
        if sum(character.isalpha() and first <= character <= last for character in part) * 2 > letters:
            return language
    return detect_language(part, languages=tuple(NAMES), otherwise="")
