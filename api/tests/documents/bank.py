"""A closed collection with one document, and people to share it with."""

from dataclasses import dataclass
from typing import Any

from tests.api import Api, Person

TAG = "for bob"
QUESTION = "When does the vault open?"


@dataclass(slots=True)
class Bank:
    """A closed collection with one document. `ada` edits it, `bob` reads the open collection only."""

    api: Api
    admin: Person
    ada: Person
    bob: Person
    collection: str
    document: str

    async def send(self, person: Person | dict[str, str], method: str, path: str, status: int, **options: Any) -> Any:
        headers = person.headers if isinstance(person, Person) else person
        response = await self.api.client.request(method, f"/api/v1/{path}", headers=headers, **options)
        assert response.status_code == status, response.text
        return response.json() if response.content and status != 204 else None

    @property
    def grants(self) -> str:
        return f"documents/{self.document}/grants"

    async def share(self, person: Person, *, with_: Person, status: int = 200) -> Any:
        return await self.send(person, "PUT", self.grants, status, json={"email": address(with_)})

    async def found(self, headers: Person | dict[str, str]) -> bool:
        """Return true if the search finds the document. List, collections and answers must agree."""
        found = await self.send(headers, "POST", "search", 200, json={"query": "vault morning", "top_k": 20})
        named = {hit["document"] for hit in found["data"]}
        listed = await self.send(headers, "GET", "documents", 200)
        names = {item["filename"] for item in listed["items"]}
        assert listed["total"] == len(names)
        collections = await self.send(headers, "GET", "collections", 200)
        visible = {item["name"]: item["document_count"] for item in collections["items"]}
        answer = await self.send(headers, "POST", "answers", 200, json={"question": QUESTION})
        signs = {
            "vault.pdf" in named,
            "vault.pdf" in names,
            visible.get("Vaults") == 1,
            "nine in the morning" in str(answer),
            found["metadata"]["coverage"]["documents_in_scope"] == 4,
        }
        assert len(signs) == 1, (named, names, visible, found["metadata"])
        return signs == {True}


def address(person: Person) -> str:
    return f"{person.id}@example.org"


async def tag(bank: Bank) -> str:
    """Give the document a tag and return the path of its grants."""
    await bank.send(bank.ada, "PATCH", f"documents/{bank.document}", 200, json={"tags": [TAG]})
    tags = await bank.send(bank.ada, "GET", "tags", 200, params={"q": TAG})
    return f"tags/{tags['items'][0]['id']}/grants"
