"""Changes authenticated by a cookie must come from our own pages."""

import pytest
from tests.api import Api

from lectern.http.errors import CrossSiteRequest
from lectern.http.request_checks import refuse_cross_site


@pytest.mark.parametrize(
    "headers", [{"sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"}, {"x-requested-with": "x"}]
)
@pytest.mark.parametrize("method", ["POST", "PATCH", "PUT", "DELETE"])
def test_our_own_pages_may_change_things(method: str, headers: dict[str, str]) -> None:
    refuse_cross_site(method, headers)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "x-requested-with": "x"},
        {"origin": "https://evil.example"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "PATCH", "PUT", "DELETE", "MERGE"])
def test_other_sites_may_not(method: str, headers: dict[str, str]) -> None:
    with pytest.raises(CrossSiteRequest):
        refuse_cross_site(method, headers, allowed_origins=["https://friend.example"])


def test_reading_and_origins_that_are_allowed_are_free() -> None:
    refuse_cross_site("GET", {"sec-fetch-site": "cross-site"})
    allowed = {"origin": "https://friend.example", "sec-fetch-site": "cross-site"}
    refuse_cross_site("POST", allowed, allowed_origins=["https://friend.example"])


async def test_the_rule_holds_for_cookies_and_not_for_bearer_tokens(api: Api) -> None:
    editor = await api.person()
    cookie = {"Cookie": f"lectern_session={editor.token}"}
    cross = {"Sec-Fetch-Site": "cross-site"}
    refused = await api.client.post("/api/v1/tags", json={"name": "a"}, headers={**cookie, **cross})
    assert (refused.status_code, refused.json()["code"]) == (403, "cross_site_request")
    for headers in ({**cookie, "Sec-Fetch-Site": "same-origin"}, {**editor.headers, **cross}):
        made = await api.client.post("/api/v1/tags", json={"name": headers.get("Cookie", "b")[:9]}, headers=headers)
        assert made.status_code == 201
    read = await api.client.get("/api/v1/tags", headers={**cookie, **cross})
    assert read.status_code == 200
