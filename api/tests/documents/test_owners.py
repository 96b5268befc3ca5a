"""Tags have owners as documents do, and an administrator gives what an account owns to another."""

from typing import Any

import psycopg
from benchmarks.throwaway import ThrowawayDatabase
from sqlalchemy import text
from tests.api import Person
from tests.documents.bank import TAG, Bank, address, tag

from lectern.cli.open_installation import OPERATOR
from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.grants.service import transfer_ownership


async def owner_of(bank: Bank, person: Person, grants: str) -> str | None:
    """Return the address of the owner that a person is shown."""
    owner = (await bank.send(person, "GET", grants, 200))["owner"]
    return owner and owner["email"]


async def give(bank: Bank, grants: str, person: Person) -> None:
    await bank.send(bank.admin, "PUT", f"{grants}/owner", 200, json={"email": address(person)})


async def join(bank: Bank, person: Person, *, role: str = "reader") -> None:
    """Let a person read the vaults."""
    await bank.send(bank.admin, "PATCH", f"users/{person.id}", 200, json={"role": role})
    path = f"collections/{bank.collection}/members/{person.id}"
    await bank.send(bank.admin, "PUT", path, 200, json={"can_write": False})


async def test_a_tag_belongs_to_the_account_that_added_it(bank: Bank) -> None:
    key = await bank.api.key(bank.bob, toolsets=["library"], can_write=True)
    made = [
        await bank.send(who, "POST", "tags", 201, json={"name": f"made {n}"}) for n, who in enumerate((bank.bob, key))
    ]
    assert [one["is_owner"] for one in made] == [True, False]  # keys do not share
    await bank.api.upload(bank.bob.headers, b"The tariff of the moon.", filename="moon.txt", tags=["attached"])
    (attached,) = (await bank.send(bank.bob, "GET", "tags", 200, params={"q": "attached"}))["items"]
    assert attached["is_owner"]
    for one in (*made, attached):
        assert await owner_of(bank, bank.admin, f"tags/{one['id']}/grants") == address(bank.bob)
    path = f"tags/{attached['id']}/grants"
    assert await owner_of(bank, bank.bob, path) == address(bank.bob)
    assert await owner_of(bank, bank.ada, path) is None  # she may share it, and need not know him
    assert not (await bank.send(bank.ada, "GET", f"tags/{attached['id']}", 200))["is_owner"]


async def test_an_administrator_changes_the_owner_of_a_tag(bank: Bank) -> None:
    path, to_bob = await tag(bank), {"email": address(bank.bob)}
    await bank.send(bank.ada, "PUT", path, 200, json={"email": "x@example.org"})
    for person in (bank.ada, bank.bob):
        await bank.send(person, "PUT", f"{path}/owner", 403, json=to_bob)
    refused = await bank.send(bank.admin, "PUT", f"{path}/owner", 422, json={"email": "nobody@example.org"})
    assert (refused["code"], "lectern users list" in refused["hint"]) == ("unknown_account", True)
    changed = await bank.send(bank.admin, "PUT", f"{path}/owner", 200, json=to_bob)
    assert await bank.send(bank.admin, "PUT", f"{path}/owner", 200, json=to_bob) == changed  # once is enough
    assert (changed["owner"]["email"], len(changed["grants"])) == (address(bank.bob), 1)
    assert await owner_of(bank, bank.ada, path) is None
    await bank.send(bank.bob, "GET", path, 404)  # to own a tag shows nothing
    events = await bank.send(bank.admin, "GET", "system/audit", 200, params={"action": "tag.change_owner"})
    assert [event["details"] for event in events["items"]] == [{"email": address(bank.bob)}]


async def test_the_owner_of_a_tag_shares_no_document_that_is_not_theirs_to_share(bank: Bank) -> None:
    path, carol = await tag(bank), await bank.api.person("reader")
    await join(bank, bank.bob)
    wanted = {"email": address(carol)}
    await bank.send(bank.bob, "PUT", path, 403, json=wanted)
    await give(bank, path, bank.bob)
    shared = await bank.send(bank.bob, "PUT", path, 200, json=wanted)
    assert (shared["documents"], [grant["email"] for grant in shared["grants"]]) == (0, [address(carol)])
    assert not await bank.found(carol)
    await give(bank, bank.grants, bank.bob)
    assert (await bank.send(bank.bob, "GET", path, 200))["documents"] == 1
    assert await bank.found(carol)
    for name, status in (("x", 403), (TAG, 403)):  # a tag is not changed by owning it
        await bank.send(bank.bob, "PATCH", path.removesuffix("/grants"), status, json={"name": name})
    await give(bank, path, bank.ada)
    await bank.send(bank.bob, "GET", path, 403)
    assert await bank.found(carol)  # grants stay
    await give(bank, bank.grants, bank.ada)
    assert not await bank.found(carol)


async def test_the_owner_of_a_tag_sees_only_their_own_grants(bank: Bank) -> None:
    path = await tag(bank)
    await join(bank, bank.bob)
    await give(bank, path, bank.bob)
    shared = await bank.send(bank.ada, "PUT", path, 200, json={"email": "x@example.org"})
    assert (await bank.send(bank.bob, "GET", path, 200))["grants"] == []
    await bank.send(bank.bob, "DELETE", f"{path}/{shared['grants'][0]['id']}", 404)
    await bank.send(await bank.api.key(bank.bob, toolsets=["library"]), "GET", path, 403)


async def test_a_changed_tag_and_its_copy_keep_the_owner(bank: Bank) -> None:
    path = await tag(bank)
    await bank.api.upload(bank.admin.headers, b"The tariff of the moon.", filename="moon.txt")
    moon = (await bank.api.sql("SELECT id FROM documents WHERE filename = 'moon.txt'"))[0].id
    await bank.send(bank.admin, "PATCH", f"documents/{moon}", 200, json={"tags": [path.split("/")[1]]})
    await bank.send(bank.bob, "PATCH", path.removesuffix("/grants"), 200, json={"color": "lime"})
    rows = await bank.api.sql("SELECT color, owner_id FROM tags WHERE name = :name ORDER BY color", name=TAG)
    assert [(row.color, row.owner_id) for row in rows] == [("gray", bank.ada.id), ("lime", bank.ada.id)]


async def test_what_an_account_owns_goes_to_another(bank: Bank) -> None:
    carol = await bank.api.person("reader")
    for n in range(3):
        await bank.api.upload(bank.bob.headers, f"The tariff {n}.".encode(), filename=f"{n}.txt", tags=["his"])
    mine = (await bank.send(bank.bob, "GET", "documents", 200, params={"q": ".txt"}))["items"]
    assert [item["is_owner"] for item in mine] == [True] * 3
    await bank.send(bank.bob, "DELETE", f"documents/{mine[0]['id']}", 204)
    empty = await bank.send(bank.bob, "POST", "tags", 201, json={"name": "planned"})
    before = await bank.api.sql("SELECT id FROM documents WHERE owner_id IS NULL ORDER BY id")

    path, to_carol = f"users/{bank.bob.id}/transfer", {"email": address(carol)}
    for person in (bank.bob, bank.ada):
        await bank.send(person, "POST", path, 403, json=to_carol)
    await bank.send(bank.admin, "POST", path, 422, json={"email": "nobody@example.org"})
    await bank.send(bank.admin, "POST", f"users/{bank.document}/transfer", 404, json=to_carol)
    assert await bank.send(bank.admin, "POST", path, 200, json=to_carol) == {"documents": 3, "tags": 2}
    assert await bank.send(bank.admin, "POST", path, 200, json=to_carol) == {"documents": 0, "tags": 0}

    theirs = (await bank.send(carol, "GET", "documents", 200, params={"q": ".txt"}))["items"]
    assert [item["is_owner"] for item in theirs] == [True] * 2
    assert (await bank.send(carol, "GET", f"tags/{empty['id']}", 200))["is_owner"]  # one without documents
    await bank.send(bank.bob, "GET", f"tags/{empty['id']}", 404)
    assert await bank.api.sql("SELECT id FROM documents WHERE owner_id IS NULL ORDER BY id") == before
    events = await bank.send(bank.admin, "GET", "system/audit", 200, params={"action": "user.transfer"})
    seen = [(event["target"], event["details"]) for event in events["items"]]
    assert seen == [(f"user:{bank.bob.id}", {**to_carol, "documents": 3, "tags": 2})]


async def test_the_time_limit_of_statements_does_not_stop_a_transfer(bank: Bank, database: ThrowawayDatabase) -> None:
    await bank.send(bank.bob, "POST", "tags", 201, json={"name": "planned"})
    async with await psycopg.AsyncConnection.connect(database.superuser_url) as connection:
        await connection.execute("""CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END $$""")
        await connection.execute("CREATE TRIGGER wait AFTER UPDATE ON tags EXECUTE FUNCTION wait()")
    async with bank.api.database.session(SYSTEM_SCOPE) as session:
        await session.execute(text("SET LOCAL statement_timeout = '300ms'"))
        moved = await transfer_ownership(session, OPERATOR, bank.bob.id, email=address(bank.ada))
    assert moved.tags == 1


async def test_an_inactive_account_gets_nothing(bank: Bank) -> None:
    await bank.send(bank.admin, "PATCH", f"users/{bank.bob.id}", 200, json={"is_active": False})
    to_bob = {"email": address(bank.bob)}
    await bank.send(bank.admin, "POST", f"users/{bank.ada.id}/transfer", 422, json=to_bob)
    await bank.send(bank.admin, "PUT", f"{await tag(bank)}/owner", 422, json=to_bob)


async def test_documents_and_tags_of_a_deleted_account_stay_without_an_owner(bank: Bank) -> None:
    await bank.api.upload(bank.bob.headers, b"The tariff of the moon.", filename="moon.txt", tags=["his"])
    (his,) = (await bank.send(bank.bob, "GET", "tags", 200, params={"q": "his"}))["items"]
    await bank.send(bank.admin, "DELETE", f"users/{bank.bob.id}", 204)
    assert await owner_of(bank, bank.admin, f"tags/{his['id']}/grants") is None
    (row,) = await bank.api.sql("SELECT owner_id FROM documents WHERE filename = 'moon.txt'")
    assert row.owner_id is None


async def test_an_administrator_changes_the_owner_of_selected_documents(bank: Bank) -> None:
    def change(email: str, **wanted: Any) -> dict[str, Any]:
        return {"json": {"action": "change_owner", "ids": [bank.document], "owner": email, **wanted}}

    for email in (address(bank.bob), "nobody@example.org"):
        refused = await bank.send(bank.ada, "POST", "documents/bulk", 403, **change(email))
        assert refused["code"] == "admins_only"
    await bank.send(bank.admin, "POST", "documents/bulk", 422, **change("nobody@example.org"))
    await bank.send(bank.admin, "POST", "documents/bulk", 422, **change(address(bank.bob), action="delete"))
    counts = [await bank.send(bank.admin, "POST", "documents/bulk", 200, **change(address(bank.bob))) for _ in range(2)]
    assert [(count["matched"], count["changed"], count["skipped"]) for count in counts] == [(1, 1, 0), (1, 0, 1)]
    assert await owner_of(bank, bank.admin, bank.grants) == address(bank.bob)
