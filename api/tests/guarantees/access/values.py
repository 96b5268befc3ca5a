"""The values that a caller may name, by the names of parameters and fields."""

import base64
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

MINE = "mine"
OWN_WORD = "quarterly"
_LETTERS = "bcdfghjklmnpqrstvwxz"


@dataclass(slots=True)
class Foreign:
    """Names, words and contents that exist in one world only. All worlds have values of the same shape."""

    word: str
    common_word: str
    filename: str
    common_filename: str
    title: str
    tag: str
    orphan_tag: str
    collection: str
    person: str
    email: str
    password: str
    key_name: str
    ids: dict[str, str] = field(default_factory=dict[str, str])
    texts: dict[str, str] = field(default_factory=dict[str, str])
    cursors: list[str] = field(default_factory=list[str])

    @classmethod
    def draw(cls, choose: random.Random) -> Self:
        def name() -> str:
            return "xq" + "".join(choose.choices(_LETTERS, k=8))

        return cls(
            word=name(),
            common_word=name(),
            filename=f"{name()}.txt",
            common_filename=f"{name()}.txt",
            title=f"Merger with {name()}",
            tag=name(),
            orphan_tag=name(),
            collection=f"Case {name()}",
            person=f"Ada {name()}",
            email=f"{name()}@example.org",
            password=f"{name()}-{name()}",
            key_name=f"key {name()}",
        )

    @property
    def sentence(self) -> str:
        return f"The {self.common_word} evacuation point is behind the north gate."

    @property
    def question(self) -> str:
        return f"Where is the {self.common_word} evacuation point?"

    def content(self, name: str) -> bytes:
        """Return the bytes of the foreign file with this name. `word` is in one of them only."""
        word = self.word if name == self.filename else self.common_word
        return f"{self.sentence}\nThe {word} ledger holds {len(name)} entries.\n".encode()


Values = Callable[[Foreign], list[Any]]


def _documents(foreign: Foreign) -> list[Any]:
    return [foreign.ids["document"], foreign.ids["deleted_document"], foreign.filename, foreign.title]


def _texts(foreign: Foreign) -> list[Any]:
    return [foreign.word, f"quarterly {foreign.common_word} budget", foreign.sentence, foreign.filename]


def _tags(foreign: Foreign) -> list[Any]:
    return [foreign.tag, foreign.tag.upper(), foreign.orphan_tag, foreign.ids["tag"]]


def _collections(foreign: Foreign) -> list[Any]:
    return [foreign.collection, foreign.ids["collection"]]


def _chat_models(foreign: Foreign) -> list[Any]:
    scopes = {"tag": _tags(foreign), "collection": _collections(foreign), "document": _documents(foreign)}
    return [f"lectern/{kind}/{name}" for kind, names in scopes.items() for name in names]


def _filenames(foreign: Foreign) -> list[Any]:
    return [foreign.filename, foreign.common_filename]


def _contents(foreign: Foreign) -> list[Any]:
    return [foreign.content(foreign.filename)]


def _in_base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _entity_tags(foreign: Foreign) -> list[Any]:
    return [f'"{foreign.texts["sha256"]}"']


def _targets(foreign: Foreign) -> list[Any]:
    return [f"document:{foreign.ids['document']}", f"user:{foreign.ids['user']}"]


KINDS: dict[str, Values] = {
    "document_id": lambda foreign: [foreign.ids["document"], foreign.ids["deleted_document"]],
    "ids": lambda foreign: [foreign.ids["document"]],
    "document": _documents,
    "documents": _documents,
    "chunk_id": lambda foreign: [foreign.ids["chunk"]],
    "session_id": lambda foreign: [foreign.ids["session"]],
    "job_id": lambda foreign: [foreign.ids["job"]],
    "answer_id": lambda foreign: [foreign.ids["answer"]],
    "thread_id": lambda foreign: [foreign.ids["thread"]],
    "golden_query_id": lambda foreign: [foreign.ids["golden"]],
    "note_id": lambda foreign: [foreign.ids["note"]],
    "grant_id": lambda foreign: [foreign.ids["grant"], foreign.ids["tag_grant"]],
    "user_id": lambda foreign: [foreign.ids["user"]],
    "key_id": lambda foreign: [foreign.ids["key"]],
    "tag_id": lambda foreign: [foreign.ids["tag"]],
    "tags": _tags,
    "tags_all": _tags,
    "tags_none": _tags,
    "any": _tags,
    "all": _tags,
    "none": _tags,
    "collection_id": lambda foreign: [foreign.ids["collection"]],
    "collection": _collections,
    "collections": _collections,
    "move_to": _collections,
    "filename": _filenames,
    "q": _texts,
    "query": _texts,
    "question": lambda foreign: [foreign.question, *_texts(foreign)],
    "quote": _texts,
    "term": _texts,
    "text": _texts,
    "content": lambda foreign: [_in_base64(foreign.content(foreign.filename))],
    "description": lambda foreign: [foreign.sentence],
    "title": lambda foreign: [foreign.title],
    "aliases": lambda foreign: [foreign.title, foreign.filename],
    "email": lambda foreign: [foreign.email],
    "owner": lambda foreign: [foreign.email],
    "password": lambda foreign: [foreign.password],
    "current_password": lambda foreign: [foreign.password],
    "key": lambda foreign: [foreign.texts["secret"]],
    "actor": _targets,
    "target": _targets,
    "cursor": lambda foreign: foreign.cursors,
    "body": _contents,
    "files": _contents,
    "file": _contents,
    "if-match": _entity_tags,
    "if-none-match": _entity_tags,
    "if-range": _entity_tags,
    "name": lambda foreign: [foreign.tag],
    "create_chat_completion.model": _chat_models,
    "get_chat_model.name": _chat_models,
    "create_chat_completion.content": lambda foreign: [foreign.question, *_texts(foreign)],
    "create_tag.name": _tags,
    "update_tag.name": _tags,
    "get_named_document.name": _filenames,
    "get_named_collection.name": _collections,
    "create_collection.name": _collections,
    "update_collection.name": _collections,
    "create_api_key.name": lambda foreign: [foreign.key_name],
    "update_api_key.name": lambda foreign: [foreign.key_name],
    "create_user.name": lambda foreign: [foreign.person],
    "update_user.name": lambda foreign: [foreign.person],
}
"""The foreign values of a parameter or field. `operation.name` comes before `name`."""

NEUTRAL: dict[str, str] = {
    "color": "a colour of a palette",
    "language": "a language code",
    "content_type": "a file type",
    "sheet": "a part of the file in the same request",
    "new_password": "is stored as a hash and never compared with another",
    "refresh_token": "a signed secret, which nobody can invent",
    "challenge_token": "a signed secret, which nobody can invent",
    "lectern_refresh": "a signed secret, which nobody can invent",
    "lectern_session": "a signed secret, which nobody can invent",
    "lectern_single_sign_on": "a random secret of the browser",
    "next": "a page of the web UI",
    "iss": "the address of the identity provider",
    "error": "is not returned",
    "provider_name": "a label of a button, for everybody",
    "group_claim": "a name of a claim, for administrators only",
    "range": "a part of a file",
    "path": "a folder of the server, for administrators only",
    "action": "one of a fixed list of actions",
    "code": "a one-time code of the caller",
    "allowed_networks": "ranges of addresses",
    "client": "the address of a caller",
    "url": "an address outside the library; tests/extracts covers it",
    "client_id": "an app, which anybody may register",
    "webhook_id": "a webhook, for administrators only",
    "client_name": "the name that an app gives itself",
    "redirect_uri": "an address of an app",
    "redirect_uris": "addresses of an app",
    "resource": "the address of the MCP service",
    "response_type": "a fixed word",
    "scope": "names of toolsets",
    "state": "is returned as it came",
    "code_challenge": "a hash of the app's own secret",
    "code_challenge_method": "a fixed word",
}
"""Parameters and fields that can name nothing foreign, each with the reason."""

KINDS_OF_TOOLS: dict[str, Values] = {
    "fetch.id": lambda foreign: [foreign.filename, foreign.ids["document"], f"{foreign.ids['document']}:1:0-20"]
}
"""The foreign values of arguments that MCP tools alone have."""

NEUTRAL_OF_TOOLS: dict[str, str] = {"pages": "a range of pages of a document that is named beside it"}
"""Arguments of MCP tools alone that can name nothing foreign, each with the reason."""

WITHOUT_FOREIGN_VALUE: dict[str, str] = {
    "get_webhook": "names a webhook, for administrators only",
    "delete_webhook": "names a webhook, for administrators only",
    "rotate_webhook_secret": "names a webhook, for administrators only",
    "replay_webhook": "names a webhook, for administrators only",
    "send_webhook_test": "names a webhook, for administrators only",
    "refresh_session": "takes a signed secret only",
    "sign_out": "takes a signed secret only",
    "sign_in_with_code": "takes a signed secret and a one-time code",
    "confirm_second_factor": "takes a one-time code of the caller",
    "begin_single_sign_on": "names a page of the web UI",
    "finish_single_sign_on": "takes a random state and a code of the identity provider",
    "register_oauth_client": "stores what the app says of itself",
    "preview_authorization": "describes a registered app",
}
"""Operations without a field of `KINDS`, each with the reason. Operations without any field need none."""

EXEMPT = {"get_metrics": "counts requests for the monitoring of the host; tests/http covers who may read it"}
"""Operations whose responses are not of the library, each with the reason."""

STREAMS = {"stream_all_events", "stream_document_events"}
"""Operations whose responses do not end. tests/ingestion/test_events.py reads them."""

APP: dict[str, str] = {
    "client_id": "00000000-0000-4000-8000-0000000000aa",
    "redirect_uri": "https://app.example/callback",
    "response_type": "code",
    "code_challenge": "c" * 43,
    "code_challenge_method": "S256",
}
"""The valid request of an app, which is registered in both worlds."""

OWN: dict[str, Any] = {
    "text": f"The {OWN_WORD} budget",
    "query": f"{OWN_WORD} budget",
    "question": f"What is the {OWN_WORD} budget?",
    "quote": f"The {OWN_WORD} budget",
    "q": OWN_WORD,
    "tags": [MINE],
    "filename": "new-name.txt",
    "name": "new name",
    "email": "new@example.com",
    "password": "a password of nobody",
    "current_password": "a password of nobody",
    "new_password": "another password of nobody",
    "key": "lk_" + "a" * 40,
    "refresh_token": "a token",
    "challenge_token": "a token",
    "code": "123456",
    "path": "folder",
    "url": "http://127.0.0.1/report.txt",
    "verdict": "helpful",
    "page_number": 1,
    "number": 1,
    "generation_id": 1,
    "webhook_id": "00000000-0000-4000-8000-000000000008",
    "after": 0,
    "char_start": 0,
    "char_end": 12,
    "term": OWN_WORD,
    "model": "lectern",
    "messages": [{"role": "user", "content": f"What is the {OWN_WORD} budget?"}],
    "id": "00000000-0000-4000-8000-000000000007",
    "body": b"A new text of the caller.",
    "action": "tag",
    "redirect_uris": [APP["redirect_uri"]],
    **APP,
}
"""Valid values of required parameters and fields. Those of a caller come first."""

FILE = {"content": _in_base64(b"Town,Sales\nParma,12\n"), "filename": "sales.csv"}
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "upload_documents": [{}, {"on_same_name": "new_version"}],
    "delete_document": [{}, {"purge": True}],
    "search": [{"explain": True}, {"hybrid": False}, {"fold": True, "nearest_sentence": True}],
    "create_answer": [{}, {"save": True}],
    "decide_authorization": [{"request": APP, "key": {"name": "app"}}, {"request": APP}],
    "preview_authorization": [APP],
    "process_file": [FILE],
    "chunk_file": [FILE],
    "retrieve_file_chunks": [FILE],
    "query_file_rows": [FILE],
    "extract_file_tables": [FILE],
    "extract_file_text": [FILE],
    "change_documents": [
        {"action": "tag", "tags": [MINE]},
        {"action": "untag", "tags": [MINE]},
        {"action": "move", "collection": "Own"},
        {"action": "delete"},
        {"action": "restore"},
        {"action": "purge"},
        {"action": "change_owner", "owner": "new@example.com"},
    ],
}
"""Other values of an operation to combine with each foreign value."""


def foreign_values(operation: str, name: str) -> Values | None:
    """Return the foreign values of a field, or None if it can name nothing foreign.

    Raises:
        KeyError: The field is neither in `KINDS` nor in `NEUTRAL`.
    """
    own = f"{operation}.{name}"
    if values := KINDS.get(own) or KINDS_OF_TOOLS.get(own) or KINDS.get(name):
        return values
    if name not in NEUTRAL.keys() | NEUTRAL_OF_TOOLS.keys():
        raise KeyError(f"name foreign values of {operation}.{name} in KINDS, or say in NEUTRAL why there are none")
    return None
