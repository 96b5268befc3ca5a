"""Delivery: signed, in order, retried, stopped after too many failures, replayed by cursor."""

import socket
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from pydantic import SecretStr

from lectern.accounts.context import signing_keys
from lectern.webhooks import dispatcher
from lectern.webhooks.dispatcher import WAITS_SECONDS
from lectern.webhooks.sending import Sender
from lectern.webhooks.service import reencrypt_secrets

from .conftest import Desk
from .receiver import Receiver


async def test_messages_are_signed_and_arrive_in_order(desk: Desk, receiver: Receiver) -> None:
    webhook, secret = await desk.create()
    for number in range(4):
        await desk.upload(filename=f"{number}.txt", content=str(number).encode())
    await desk.deliver_until(4)
    assert [each.message["cursor"] for each in receiver.received] == [1, 2, 3, 4]
    assert all(each.is_signed_with(secret) for each in receiver.received)
    assert len({each.id for each in receiver.received}) == 4
    state = await desk.call("GET", f"/{webhook}")
    assert (state["state"], state["pending_count"], state["cursor"]) == ("active", 0, 4)
    log = await desk.call("GET", f"/{webhook}/deliveries", params={"limit": 3})
    assert [each["status_code"] for each in log["items"]] == [204, 204, 204]
    assert log["total"] == 4
    more = await desk.call("GET", f"/{webhook}/deliveries", params={"cursor": log["next_cursor"]})
    assert [each["cursor"] for each in more["items"]] == [1]


async def test_failure_is_retried_with_the_same_id_before_the_next_event(desk: Desk, receiver: Receiver) -> None:
    webhook, _ = await desk.create()
    receiver.statuses += [500, 302]
    await desk.upload(filename="a.txt", content=b"a")
    await desk.upload(filename="b.txt", content=b"b")
    await desk.deliver_until(4)
    ids = [each.id for each in receiver.received]
    assert ids[0] == ids[1] == ids[2] != ids[3]
    log = (await desk.call("GET", f"/{webhook}/deliveries"))["items"]
    assert [(each["attempt"], each["error"]) for each in reversed(log)] == [
        (1, "http_500"),
        (2, "http_302"),
        (3, None),
        (1, None),
    ]
    assert (await desk.call("GET", f"/{webhook}"))["state"] == "active"


async def test_failing_event_waits_and_holds_back_the_next(
    desk: Desk, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher, "WAITS_SECONDS", (3_600.0, *WAITS_SECONDS))
    webhook, _ = await desk.create()
    receiver.statuses += [500]
    await desk.upload(filename="a.txt", content=b"a")
    await desk.upload(filename="b.txt", content=b"b")
    await desk.deliver_until(1)
    await desk.deliver_for(1.5)
    assert len(receiver.received) == 1
    state = await desk.call("GET", f"/{webhook}")
    assert (state["state"], state["attempts"], state["pending_count"]) == ("retrying", 1, 2)
    assert state["last_error"] == "http_500"
    assert datetime.fromisoformat(state["next_attempt_at"]) > datetime.now(UTC)


async def test_endpoint_that_fails_too_often_is_stopped_and_starts_again_with_all_events(
    desk: Desk, receiver: Receiver
) -> None:
    webhook, _ = await desk.create()
    receiver.statuses += [503] * (len(WAITS_SECONDS) + 1)
    await desk.upload()
    await desk.deliver_until(len(WAITS_SECONDS) + 1)
    assert (await desk.call("GET", f"/{webhook}"))["state"] == "failing"
    await desk.deliver_for(1.5)
    assert len(receiver.received) == len(WAITS_SECONDS) + 1
    resumed = await desk.call("PATCH", f"/{webhook}", json={"is_active": True})
    assert (resumed["state"], resumed["pending_count"]) == ("active", 1)
    await desk.deliver_until(len(WAITS_SECONDS) + 2)
    assert (await desk.call("GET", f"/{webhook}"))["pending_count"] == 0


async def test_endpoint_that_is_gone_is_stopped_at_once(desk: Desk, receiver: Receiver) -> None:
    webhook, _ = await desk.create()
    receiver.statuses += [410]
    await desk.upload()
    await desk.deliver_until(1)
    assert (await desk.call("GET", f"/{webhook}"))["state"] == "failing"


async def test_endpoint_that_accepts_and_breaks_off_its_body_has_accepted(desk: Desk, receiver: Receiver) -> None:
    webhook, _ = await desk.create()
    receiver.body_bytes = 10
    receiver.statuses += [200, 200]
    await desk.upload(filename="a.txt", content=b"a")
    await desk.upload(filename="b.txt", content=b"b")
    await desk.deliver_until(2)
    state = await desk.call("GET", f"/{webhook}")
    assert (state["state"], state["last_error"], state["cursor"]) == ("active", None, 2)


async def test_slow_endpoint_holds_up_no_other(desk: Desk, receiver: Receiver) -> None:
    await desk.create(url=f"{receiver.url}/one", event_types=["document.created"])
    with socket.create_server(("127.0.0.1", 0)) as silent:
        await desk.create(url=f"http://127.0.0.1:{silent.getsockname()[1]}/")
        await desk.upload(filename="a.txt", content=b"a")
        await desk.upload(filename="b.txt", content=b"b")
        async with desk.dispatcher():
            await receiver.wait_for(lambda: receiver.types == ["document.created", "document.created"])


async def test_only_wanted_types_arrive_and_a_paused_webhook_gets_them_later(desk: Desk, receiver: Receiver) -> None:
    webhook, _ = await desk.create(event_types=["document.trashed"])
    assert (await desk.call("PATCH", f"/{webhook}", json={"is_active": False}))["state"] == "paused"
    document = await desk.upload()
    await desk.api.client.delete(f"/api/v1/documents/{document}", headers=desk.admin.headers)
    await desk.deliver_for(1.5)
    assert receiver.received == []
    await desk.call("PATCH", f"/{webhook}", json={"is_active": True})
    await desk.deliver_until(1)
    assert receiver.types == ["document.trashed"]


async def test_replay_sends_the_events_after_a_cursor_again(desk: Desk, receiver: Receiver) -> None:
    webhook, _ = await desk.create()
    for number in range(3):
        await desk.upload(filename=f"{number}.txt", content=str(number).encode())
    await desk.deliver_until(3)
    replayed = await desk.call("POST", f"/{webhook}/replay", params={"after": 1})
    assert replayed["pending_count"] == 2
    await desk.deliver_until(5)
    ids = [each.id for each in receiver.received]
    assert ids[3:] == ids[1:3]


async def test_rotation_signs_with_both_secrets(desk: Desk, receiver: Receiver) -> None:
    webhook, old = await desk.create()
    new = (await desk.call("POST", f"/{webhook}/rotate"))["secret"]
    delivery = await desk.call("POST", f"/{webhook}/test")
    assert (delivery["event_type"], delivery["status_code"], delivery["error"]) == ("webhook.test", 204, None)
    assert receiver.received[0].is_signed_with(old)
    assert receiver.received[0].is_signed_with(new)
    await desk.call("POST", f"/{webhook}/rotate", json={"overlap_hours": 0})
    await desk.call("POST", f"/{webhook}/test")
    assert not receiver.received[1].is_signed_with(new)


async def test_a_receiver_that_does_not_run_has_a_code(desk: Desk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/"
    webhook, _ = await desk.create(url=url)
    delivery = await desk.call("POST", f"/{webhook}/test")
    assert delivery["error"] == "no_connection"


async def test_secret_is_encrypted_and_shown_once(desk: Desk) -> None:
    webhook, secret = await desk.create()
    stored = await desk.api.sql("SELECT secret FROM webhooks")
    assert secret not in stored[0][0]
    assert secret not in str(await desk.call("GET", f"/{webhook}"))
    audited = await desk.api.sql("SELECT string_agg(details::text, ' ') FROM audit_events")
    assert secret not in audited[0][0]


async def test_private_address_is_refused(desk: Desk) -> None:
    for url in ("http://10.0.0.1/", "http://169.254.169.254/latest", "http://[::1]/"):
        problem = await desk.call("POST", json={"url": url}, status=422)
        assert problem["code"] == "host_refused"
        assert "LECTERN_FETCH_ALLOWED" in problem["hint"]


async def test_hint_names_what_is_wrong_with_the_url(desk: Desk) -> None:
    for url, hint in (
        ("https://me:word@example.com/", "Remove them from the URL."),
        ("ftp://example.com/", "https://"),
    ):
        problem = await desk.call("POST", json={"url": url}, status=422)
        assert problem["code"] == "address_refused"
        assert hint in problem["hint"]
        assert "LECTERN_FETCH_ALLOWED" not in problem["hint"]


def sender_with(desk: Desk, signing_keys: str) -> Sender:
    changes = {"jwt_secret_key": SecretStr(signing_keys)}
    accounts = desk.api.accounts.settings.model_copy(update=changes)
    return Sender(replace(desk.api.app.state.settings, accounts=accounts))


async def test_another_signing_key_is_reported_and_replaced_with_an_overlap(desk: Desk, receiver: Receiver) -> None:
    webhook, secret = await desk.create()
    await desk.upload()
    old, new = signing_keys(desk.api.accounts.settings)[0].get_secret_value(), "another-secret-of-the-tests-01234"
    desk.api.app.state.webhook_sender = sender_with(desk, new)
    await desk.deliver_until(1)
    state = await desk.call("GET", f"/{webhook}")
    assert state["last_error"] == "webhook_secret_unreadable"
    await reencrypt_secrets(desk.api.database, sender_with(desk, f"{new},{old}"))
    await desk.call("POST", f"/{webhook}/test")
    assert receiver.received[-1].is_signed_with(secret)


@pytest.mark.parametrize("path", ["", "/rotate", "/test", "/deliveries", "/replay?after=0"])
async def test_unknown_webhook_is_not_found(desk: Desk, path: str) -> None:
    method = "GET" if path in {"", "/deliveries"} else "POST"
    problem = await desk.call(method, f"/00000000-0000-4000-8000-0000000000ff{path}", status=404)
    assert problem["code"] == "webhook_not_found"
