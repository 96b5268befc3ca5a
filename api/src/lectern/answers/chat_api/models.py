"""Names of models, which are scopes: the library, a collection, a tag or a document."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from pydantic import ValidationError

from lectern.accounts.principals import Principal
from lectern.answers.chat_api.schemas import ChatModel, ChatModels
from lectern.answers.errors import ChatModelNotFound
from lectern.answers.schemas import AnswerRequest
from lectern.collections.service import list_collections
from lectern.db.session import Session
from lectern.tags.service import list_tags

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


def _models(kind: str, named: Iterable[tuple[str, datetime]]) -> list[ChatModel]:
    """Return one model for each name. Several tags in scope can have the same name."""
    return [
        ChatModel(id=f"{LIBRARY}/{kind}/{name}", created=int(created_at.timestamp()))
        for name, created_at in dict(named).items()
    ]
