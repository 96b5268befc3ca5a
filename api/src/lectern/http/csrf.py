"""The rule against requests that another site makes a browser send."""

from collections.abc import Collection, Mapping
from typing import Final

from lectern.http.errors import CrossSiteRequest

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_OWN_SITES: Final = frozenset({"same-origin", "none"})


def refuse_cross_site(method: str, headers: Mapping[str, str], *, allowed_origins: Collection[str] = ()) -> None:
    """For requests that a cookie vouches for: a change must come from our own pages.

    Browsers say where a request comes from in Sec-Fetch-Site, which pages cannot set. Older ones do not: then
    X-Requested-With is asked for, which another site cannot send without asking us first.

    Raises:
        CrossSiteRequest: It does not.
    """
    if method in SAFE_METHODS or headers.get("origin") in allowed_origins:
        return
    site = headers.get("sec-fetch-site")
    if site not in _OWN_SITES if site is not None else "x-requested-with" not in headers:
        raise CrossSiteRequest
