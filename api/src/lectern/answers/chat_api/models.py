"""Names of models, which are scopes: the library, a collection, a tag or a document."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from pydantic import ValidationError

from lectern.accounts.principals import Principal
from lectern.answers.chat_api.schemas import ChatModel, ChatModels
from lectern.answers.errors import ChatModelNotFound
from lectern.answers.schemas import AnswerRequest
from lectern.collections.service import get_collection, list_collections, resolve_collections
from lectern.db.session import Session
from lectern.documents.service import get_document, resolve_documents
from lectern.http.references import UnknownReference
from lectern.tags.service import get_tag, list_tags, resolve_tags

LIBRARY: Final = "lectern"
MAX_LISTED: Final = 1_000
_FILTERS: Final = {"collection": "collections", "tag": "tags", "document": "documents"}


def build_request(model: str, question: str) -> AnswerRequest:
    """Return the question with the filter that the model names. Raises ChatModelNotFound."""
    root, _, rest = model.partition("/")
    kind, _, name = rest.partition("/")
    if root != LIBRARY or (rest and kind not in _FILTERS) or (model.endswith("/") and not name):
        raise ChatModelNotFound
    filters: dict[str, Any] = {_FILTERS[kind]: [name]} if rest else {}
    try:
        return AnswerRequest(question=question, save=False, **filters)
    except ValidationError as error:  # The question was validated before, so the name is empty or too long.
        raise ChatModelNotFound from error


async def list_models(session: Session, principal: Principal) -> ChatModels:
    """List the library, and the first collections and tags in scope."""
    collections = await list_collections(session, principal, cursor=None, limit=MAX_LISTED)
    tags = await list_tags(session, limit=MAX_LISTED)
    return ChatModels(
        data=[
            ChatModel(id=LIBRARY, created=0),
            *_models("collection", ((item.name, item.created_at) for item in collections.items)),
            *_models("tag", ((item.name, item.created_at) for item in tags.items)),
        ]
    )


async def get_model(session: Session, principal: Principal, name: str) -> ChatModel:
    """Return the model with this name, of any scope. Raises ChatModelNotFound, AmbiguousDocument."""
    build_request(name, "?")
    _, kind, reference = [*name.split("/", maxsplit=2), "", ""][:3]
    created: datetime | None = None
    try:
        if kind == "collection":
            (collection_id,) = await resolve_collections(session, [reference])
            created = (await get_collection(session, principal, collection_id)).created_at
        elif kind == "tag":
            created = (await get_tag(session, (await resolve_tags(session, [reference]))[-1])).created_at
        elif kind == "document":
            created = (await get_document(session, (await resolve_documents(session, [reference]))[-1])).created_at
    except UnknownReference as error:
        raise ChatModelNotFound(hint=error.hint) from error
    return ChatModel(id=name, created=int(created.timestamp()) if created else 0)


def _models(kind: str, named: Iterable[tuple[str, datetime]]) -> list[ChatModel]:
    """Return one model for each name. Several tags in scope can have the same name."""
    return [
        ChatModel(id=f"{LIBRARY}/{kind}/{name}", created=int(created_at.timestamp()))
        for name, created_at in dict(named).items()
    ]
