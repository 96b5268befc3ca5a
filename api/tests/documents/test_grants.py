"""A document can be shared with a person who does not read its collection."""

from tests.documents.bank import TAG, Bank, address, tag

from lectern.documents.grants.service import MAX_GRANTS


async def test_shared_document_is_readable_until_the_grant_is_taken_back(bank: Bank) -> None:
    assert not await bank.found(bank.bob)
    shared = await bank.share(bank.ada, with_=bank.bob)
    assert (shared["owner"], shared["collection"], shared["is_collection_open"]) == (None, "Vaults", False)
    (grant,) = shared["grants"]
    assert grant["email"] == address(bank.bob)
    assert await bank.share(bank.ada, with_=bank.bob) == shared  # once is enough

    assert await bank.found(bank.bob)
    for person, names in ((bank.bob, ["vault.pdf"]), (bank.ada, []), (bank.admin, [])):
        mine = await bank.send(person, "GET", "documents", 200, params={"is_shared_with_me": True})
        assert [item["filename"] for item in mine["items"]] == names
    content = await bank.send(bank.bob, "GET", f"documents/{bank.document}/content", 200)
    assert "The vault" in content["text"]
    await bank.send(bank.ada, "DELETE", f"{bank.grants}/{grant['id']}", 204)
    assert not await bank.found(bank.bob)
    await bank.send(bank.bob, "GET", f"documents/{bank.document}/content", 404)
    await bank.send(bank.ada, "DELETE", f"{bank.grants}/{grant['id']}", 404)

    events = await bank.send(bank.admin, "GET", "system/audit", 200, params={"target": f"document:{bank.document}"})
    seen = [(event["action"], event["details"].get("email")) for event in events["items"]]
    assert seen[:2] == [("document.unshare", address(bank.bob)), ("document.share", address(bank.bob))]


async def test_a_grant_is_for_reading(bank: Bank) -> None:
    await bank.share(bank.ada, with_=bank.bob)
    path = f"documents/{bank.document}"
    await bank.send(bank.bob, "PATCH", path, 403, json={"title": "Mine"})
    await bank.send(bank.bob, "DELETE", path, 403)
    wanted = {"action": "delete", "ids": [bank.document]}
    assert (await bank.send(bank.bob, "POST", "documents/bulk", 200, json=wanted))["matched"] == 0
    for method, body in (("GET", None), ("PUT", {"email": "carol@example.org"})):
        refused = await bank.send(bank.bob, method, bank.grants, 403, json=body)
        assert refused["code"] == "read_only"
        assert "owner" in refused["hint"]


async def test_an_address_without_an_account_makes_no_difference(bank: Bank) -> None:
    of_bob = await bank.share(bank.ada, with_=bank.bob)
    await bank.send(bank.ada, "DELETE", f"{bank.grants}/{of_bob['grants'][0]['id']}", 204)
    of_nobody = await bank.send(bank.ada, "PUT", bank.grants, 200, json={"email": "Nobody@Example.org "})
    assert [grant["email"] for grant in of_nobody["grants"]] == ["nobody@example.org"]
    assert {**of_nobody, "grants": []} == {**of_bob, "grants": []}


async def test_an_administrator_hands_a_document_to_another_account(bank: Bank) -> None:
    path, to_bob = f"{bank.grants}/owner", {"email": address(bank.bob)}
    await bank.share(bank.ada, with_=bank.bob)
    for person in (bank.ada, bank.bob):
        await bank.send(person, "PUT", path, 403, json=to_bob)
    refused = await bank.send(bank.admin, "PUT", path, 422, json={"email": "nobody@example.org"})
    assert (refused["code"], "lectern users list" in refused["hint"]) == ("unknown_account", True)

    changed = await bank.send(bank.admin, "PUT", path, 200, json=to_bob)
    assert await bank.send(bank.admin, "PUT", path, 200, json=to_bob) == changed  # once is enough
    assert changed["owner"]["email"] == address(bank.bob)
    assert len(changed["grants"]) == 1
    assert (await bank.send(bank.bob, "GET", bank.grants, 200))["owner"] == changed["owner"]  # an owner may share
    events = await bank.send(bank.admin, "GET", "system/audit", 200, params={"action": "document.change_owner"})
    assert [event["details"] for event in events["items"]] == [{"email": address(bank.bob)}]

    await bank.send(bank.admin, "DELETE", f"users/{bank.bob.id}", 204)
    assert (await bank.send(bank.admin, "GET", bank.grants, 200))["owner"] is None


async def test_grants_end_with_the_account(bank: Bank) -> None:
    await bank.share(bank.ada, with_=bank.bob)
    await bank.send(bank.admin, "DELETE", f"users/{bank.bob.id}", 204)
    assert (await bank.send(bank.ada, "GET", bank.grants, 200))["grants"] == []


async def test_a_key_sees_shared_documents_unless_it_is_limited_to_collections(bank: Bank) -> None:
    await bank.share(bank.ada, with_=bank.bob)
    toolsets = ["search", "answers", "library"]
    assert await bank.found(await bank.api.key(bank.bob, toolsets=toolsets, can_write=True))
    for collection in ("Library", "Vaults"):
        key = await bank.api.key(bank.bob, toolsets=toolsets, collections=[collection])
        listed = await bank.send(key, "GET", "documents", 200)
        assert "vault.pdf" not in {item["filename"] for item in listed["items"]}
    for limit, names in (({"tags": ["secret"]}, ["vault.pdf"]), ({"documents": ["tariff.pdf"]}, ["tariff.pdf"])):
        listed = await bank.send(await bank.api.key(bank.bob, toolsets=toolsets, **limit), "GET", "documents", 200)
        assert [item["filename"] for item in listed["items"]] == names
    key = await bank.api.key(bank.bob, toolsets=toolsets, can_write=True)
    await bank.send(key, "GET", bank.grants, 403)


async def test_the_owner_may_share(bank: Bank) -> None:
    uploaded = await bank.api.upload(bank.bob.headers, b"The tariff of the moon.", filename="moon.txt")
    document = uploaded["document"]["id"]
    await bank.send(bank.admin, "PATCH", f"users/{bank.bob.id}", 200, json={"role": "reader"})
    shared = await bank.send(bank.bob, "PUT", f"documents/{document}/grants", 200, json={"email": "c@example.org"})
    assert (shared["owner"]["email"], shared["is_collection_open"]) == (address(bank.bob), True)
    await bank.send(bank.bob, "GET", bank.grants, 404)
    # an owner who does not see the document any more
    await bank.send(bank.admin, "PATCH", f"documents/{document}", 200, json={"collection": "Vaults"})
    await bank.send(bank.bob, "GET", f"documents/{document}/grants", 404)


async def test_the_number_of_grants_is_limited(bank: Bank) -> None:
    await bank.api.sql(
        "INSERT INTO document_grants (id, document_id, email, granted_by) SELECT gen_random_uuid(),"
        " CAST(:id AS uuid), n || '@example.org', 'user:x' FROM generate_series(1, :most) AS n",
        id=bank.document,
        most=MAX_GRANTS,
    )
    refused = await bank.share(bank.ada, with_=bank.bob, status=422)
    assert "at most" in refused["detail"]
    assert len((await bank.send(bank.ada, "GET", bank.grants, 200))["grants"]) == MAX_GRANTS


async def test_search_results_are_cached_for_nobody_with_a_grant(bank: Bank) -> None:
    async def is_cached() -> bool:
        found = [await bank.send(bank.bob, "POST", "search", 200, json={"query": "vault"}) for _ in range(2)]
        return found[1]["metadata"]["is_cached"]

    assert await is_cached()
    await bank.share(bank.ada, with_=bank.bob)
    assert not await is_cached()


async def test_a_shared_tag_shares_its_documents_and_those_that_get_it_later(bank: Bank) -> None:
    path = await tag(bank)
    wanted = {"email": address(bank.bob)}
    shared = await bank.send(bank.ada, "PUT", path, 200, json=wanted)
    assert shared["documents"] == 1
    (grant,) = shared["grants"]
    assert (grant["email"], grant["granted_by"]) == (address(bank.bob), address(bank.ada))
    assert await bank.send(bank.ada, "PUT", path, 200, json=wanted) == shared
    assert await bank.found(bank.bob)
    seen = await bank.send(bank.ada, "GET", bank.grants, 200)
    assert [(share["tag"], share["email"]) for share in seen["tag_shares"]] == [(TAG, address(bank.bob))]

    await bank.send(bank.ada, "PATCH", f"documents/{bank.document}", 200, json={"tags": []})
    assert not await bank.found(bank.bob)
    assert await tag(bank) == path  # a shared tag stays without documents
    assert await bank.found(bank.bob)

    await bank.send(bank.ada, "DELETE", f"{path}/{grant['id']}", 204)
    assert not await bank.found(bank.bob)
    await bank.send(bank.ada, "DELETE", f"{path}/{grant['id']}", 404)
    events = await bank.send(bank.admin, "GET", "system/audit", 200, params={"target": f"tag:{path.split('/')[1]}"})
    assert [event["action"] for event in events["items"]][:2] == ["tag.unshare", "tag.share"]


async def test_a_tag_shares_only_what_its_sharer_may_share(bank: Bank) -> None:
    path = await tag(bank)
    (open_one,) = await bank.api.sql("SELECT id FROM documents WHERE filename = 'tariff.pdf'")
    await bank.send(bank.admin, "PATCH", f"documents/{open_one.id}", 200, json={"tags": [TAG]})
    carol = await bank.api.person("editor")  # who sees the tag on the open document, and does not edit the vaults
    answer = await bank.send(carol, "PUT", path, 200, json={"email": address(bank.bob)})
    assert answer["documents"] == 1
    assert not await bank.found(bank.bob)
    await bank.send(bank.ada, "PUT", path, 200, json={"email": address(bank.bob)})
    assert await bank.found(bank.bob)
    members = f"collections/{bank.collection}/members/{bank.ada.id}"
    for change, restore in (
        ((members, {"can_write": False}), (members, {"can_write": True})),
        ((f"users/{bank.ada.id}", {"is_active": False}), (f"users/{bank.ada.id}", {"is_active": True})),
    ):
        for at, (where, body) in enumerate((change, restore)):
            await bank.send(bank.admin, "PUT" if where == members else "PATCH", where, 200, json=body)
            assert await bank.found(bank.bob) is bool(at)
    await bank.send(bank.admin, "DELETE", f"users/{bank.ada.id}", 204)
    assert not await bank.found(bank.bob)


async def test_each_person_sees_the_own_grants_of_a_tag_and_administrators_all(bank: Bank) -> None:
    path = await tag(bank)
    await bank.send(bank.ada, "PUT", path, 200, json={"email": address(bank.bob)})
    assert (await bank.send(bank.admin, "GET", path, 200))["grants"][0]["granted_by"] == address(bank.ada)
    dan = await bank.api.person("editor")
    members = f"collections/{bank.collection}/members"
    await bank.send(bank.admin, "PUT", f"{members}/{dan.id}", 200, json={"can_write": True})
    grant = (await bank.send(bank.ada, "GET", path, 200))["grants"][0]["id"]
    assert (await bank.send(dan, "GET", path, 200))["grants"] == []
    await bank.send(dan, "DELETE", f"{path}/{grant}", 404)
    erin = await bank.api.person("reader")
    await bank.send(bank.admin, "PUT", f"{members}/{erin.id}", 200, json={"can_write": False})
    assert (await bank.send(erin, "PUT", path, 403, json={"email": "a@example.org"}))["code"] == "read_only"
    await bank.send(await bank.api.key(bank.ada, toolsets=["library"], can_write=True), "GET", path, 403)
    await bank.send(bank.admin, "DELETE", f"{path}/{grant}", 204)
    assert not await bank.found(bank.bob)


async def test_a_change_of_a_tag_leaves_what_others_share_as_it_was(bank: Bank) -> None:
    path = await tag(bank)
    (open_one,) = await bank.api.sql("SELECT id FROM documents WHERE filename = 'tariff.pdf'")
    await bank.send(bank.admin, "PATCH", f"documents/{open_one.id}", 200, json={"tags": [TAG]})
    await bank.send(bank.ada, "PUT", path, 200, json={"email": "reader@example.org"})
    before = await bank.send(bank.ada, "GET", bank.grants, 200)
    (seen,) = (await bank.send(bank.bob, "GET", "tags", 200, params={"q": TAG}))["items"]
    await bank.send(bank.bob, "DELETE", f"tags/{seen['id']}", 204)
    assert await bank.send(bank.ada, "GET", bank.grants, 200) == before


async def test_grants_of_tags_end_with_the_account(bank: Bank) -> None:
    path = await tag(bank)
    await bank.send(bank.ada, "PUT", path, 200, json={"email": address(bank.bob)})
    await bank.send(bank.admin, "DELETE", f"users/{bank.bob.id}", 204)
    assert (await bank.send(bank.ada, "GET", path, 200))["grants"] == []


async def test_the_number_of_people_of_a_tag_is_limited(bank: Bank) -> None:
    path = await tag(bank)
    await bank.api.sql(
        "INSERT INTO tag_grants (id, tag_id, email, granted_by) SELECT gen_random_uuid(), CAST(:tag AS uuid),"
        " n || '@example.org', CAST(:by AS uuid) FROM generate_series(1, :most) AS n",
        tag=path.split("/")[1],
        by=bank.ada.id,
        most=MAX_GRANTS,
    )
    refused = await bank.send(bank.ada, "PUT", path, 422, json={"email": address(bank.bob)})
    assert "at most" in refused["detail"]
