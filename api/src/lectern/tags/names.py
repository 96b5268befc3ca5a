"""When two tag names are one tag."""

import unicodedata


def shown_name(name: str) -> str:
    """The name as it is kept: composed characters, single spaces."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def normalized_name(name: str) -> str:
    """What makes a tag unique: `Due  Diligence` and `due diligence` are one."""
    return unicodedata.normalize("NFC", shown_name(name).casefold())
