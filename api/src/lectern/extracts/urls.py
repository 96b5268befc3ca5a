"""Find URLs in a text, with context and category."""

import re
from typing import Final

from lectern.extracts.schemas import UrlCategory, UrlOfFile

CONTEXT_CHARACTERS: Final = 100
MAX_URLS: Final = 200
_URL: Final = re.compile(
    r"https?://[^\s<>\"'`{}|\\^]+|(?<![\w@./-])www\.[a-z0-9-]+(?:\.[a-z0-9-]+)+[^\s<>\"'`{}|\\^]*", re.IGNORECASE
)
_TRAILING: Final = ".,;:!?)]}>*_"
_IMAGE: Final = re.compile(r"\.(?:png|jpe?g|gif|webp|svg|tiff?|bmp|ico|avif)(?:[?#]|$)", re.IGNORECASE)
_ENDPOINT: Final = re.compile(
    r"//api\.|/api(?:/|$|\?)|/v\d+(?:/|$)|/(?:rest|graphql|rpc|oauth2?)(?:/|$|\?)|\.json(?:$|\?)", re.IGNORECASE
)
_NAVIGATION: Final = re.compile(
    r"#[\w-]+$|/(?:index|home|about|contact|help|login|menu|sitemap|search|faq|privacy|terms)(?:\.\w+)?/?(?:$|[?#])",
    re.IGNORECASE,
)


def find_urls(text: str) -> list[UrlOfFile]:
    """Return at most 200 URLs and addresses that begin with `www.`, in order of their first position, each once."""
    found: dict[str, UrlOfFile] = {}
    for match in _URL.finditer(text):
        url = match.group().rstrip(_TRAILING)
        if match.group()[len(url) :].startswith(")") and url.count("(") > url.count(")"):
            url += ")"
        if url in found:
            continue
        start = match.start()
        around = text[max(0, start - CONTEXT_CHARACTERS) : start + len(url) + CONTEXT_CHARACTERS]
        found[url] = UrlOfFile(url=url, category=category_of(url), context=" ".join(around.split()), char_start=start)
        if len(found) == MAX_URLS:
            break
    return list(found.values())


def category_of(url: str) -> UrlCategory:
    """Return the category of a URL by its form."""
    if _IMAGE.search(url):
        return "image"
    if _ENDPOINT.search(url):
        return "api_endpoint"
    return "navigation" if _NAVIGATION.search(url) else "general"
