"""A counterpart behind the HTTP port: the part of Lectern's API that the MCP service calls, over data held in memory.

It checks what the real one checks (service key, principal) and remembers every request. Tests of behaviour of the API
itself run against the real one, in `test_with_the_real_api.py`.
"""

import json
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid5

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

SERVICE_KEY = "service-key-0123456789abcdef0123456789abcdef"
USER_KEY = "lk_user-key-0123456789abcdef0123456789abcdef"
PRINCIPAL = "key:11111111-2222-4333-8444-555555555555"
_SPACE = UUID("6f0c6a3e-5d3e-4b8e-9d53-0c3c1d6f9a10")
WEB_URL = "https://lectern.example.org"
WHEN = "2026-11-21T10:00:00Z"


@dataclass
class Seen:
    """A request as it arrived."""

    method: str
    path: str
    query: list[tuple[str, str]]
    headers: dict[str, str]
    body: Any


@dataclass
class FakeApi:
    keys: dict[str, dict[str, Any]] = field(default_factory=lambda: {USER_KEY: key_record()})
    hits: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    documents: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    tags: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    pages: dict[int, str] = field(default_factory=dict[int, str])
    outline: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    message: str = "2 passages."
    gaps: dict[str, int] = field(default_factory=dict[str, int])
    confidence: float | None = 0.71
    is_ready: bool = True
    protected_resource: dict[str, Any] = field(
        default_factory=lambda: {
            "resource": "https://lectern.example/mcp",
            "authorization_servers": ["https://lectern.example"],
            "scopes_supported": ["search", "answers", "library", "extract"],
        }
    )
    answer_instead: Response | None = None
    """The response to every request but introspection, if set."""
    introspection_instead: Response | None = None
    seen: list[Seen] = field(default_factory=list[Seen])

    @property
    def calls(self) -> list[Seen]:
        """The requests that were not introspections."""
        return [seen for seen in self.seen if not seen.path.endswith(("/introspect", "/auth/me"))]

    @property
    def introspections(self) -> int:
        return len(self.seen) - len(self.calls)

    def app(self) -> Starlette:
        routes = [
            Route("/api/v1/keys/introspect", self._introspect, methods=["POST"]),
            Route("/api/v1/auth/me", self._me),
            Route("/api/v1/search", self._search, methods=["POST"]),
            Route("/api/v1/documents", self._list_documents),
            Route("/api/v1/documents/named", self._named),
            Route("/api/v1/documents/{id}", self._document),
            Route("/api/v1/documents/{id}/outline", self._outline),
            Route("/api/v1/documents/{id}/pages/{page:int}", self._page),
            Route("/api/v1/tags", self._list_tags),
            Route("/ready", self._ready),
            Route("/.well-known/oauth-protected-resource", self._protected_resource),
        ]
        return Starlette(routes=routes)

    async def _receive(self, request: Request, *, needs_principal: bool = True) -> Response | None:
        body = await request.body()
        headers = {name.lower(): value for name, value in request.headers.items()}
        query = list(request.query_params.multi_items())
        content = json.loads(body) if body else None
        self.seen.append(Seen(request.method, request.url.path, query, headers, content))
        own_key = headers.get("authorization", "").removeprefix("Bearer ")
        if own_key in self.keys and "x-lectern-principal" not in headers:
            return self.answer_instead if needs_principal else None
        if own_key != SERVICE_KEY:
            return problem(401, "unauthorized", "Sign in or send a valid API key.")
        if not needs_principal:
            return self.introspection_instead
        if not headers.get("x-lectern-principal", "").startswith("key:"):
            return problem(401, "unauthorized", "No principal.")
        return self.answer_instead

    async def _introspect(self, request: Request) -> Response:
        refused = await self._receive(request, needs_principal=False)
        return refused or JSONResponse(self.keys.get(self.seen[-1].body["key"], {"is_active": False}))

    async def _me(self, request: Request) -> Response:
        if refused := await self._receive(request, needs_principal=False):
            return refused
        record = self.keys[self.seen[-1].headers["authorization"].removeprefix("Bearer ")]
        kind, _, id_ = record["principal"].partition(":")
        scope = {"role": None, "collection_ids": None, "tag_ids": None, "document_ids": None}
        shared = {name: record[name] for name in ("name", "can_write", "toolsets", "web_url")}
        return JSONResponse({"kind": kind, "id": id_, **shared, **scope})

    async def _search(self, request: Request) -> Response:
        if refused := await self._receive(request):
            return refused
        body = self.seen[-1].body
        hits = self.hits[: body.get("top_k", 5)]
        metadata: dict[str, Any] = {
            "top_k": body.get("top_k", 5),
            "hybrid": body.get("hybrid", True),
            "returned": len(hits),
            "coverage": coverage(**self.gaps),
            "confidence": self.confidence,
            "strategy": {"semantic": "exact", "keyword": "exact", "is_degraded": False, "unmatched_languages": []},
            "took_ms": dict.fromkeys(("embedding", "filters", "terms", "search", "snippets", "total"), 1.5),
        }
        return JSONResponse({"data": hits, "metadata": metadata, "message": self.message})

    async def _list_documents(self, request: Request) -> Response:
        return await self._receive(request) or _page_of(self.documents, request)

    async def _list_tags(self, request: Request) -> Response:
        return await self._receive(request) or _page_of(self.tags, request)

    async def _document(self, request: Request) -> Response:
        refused = await self._receive(request)
        found = [item for item in self.documents if item["id"] == request.path_params["id"]]
        return refused or (JSONResponse(found[0]) if found else problem(404, "not_found", "No document has this id."))

    async def _named(self, request: Request) -> Response:
        """Find a document by the beginning of its id. Each hit has a document."""
        refused = await self._receive(request)
        of_hits = [document(1, id=item["document_id"], filename=item["document"]) for item in self.hits]
        found = [item for item in [*self.documents, *of_hits] if item["id"].startswith(request.query_params["name"])]
        return refused or (JSONResponse(found[0]) if found else problem(404, "not_found", "No document has this name."))

    async def _outline(self, request: Request) -> Response:
        return await self._receive(request) or JSONResponse({"items": self.outline})

    async def _page(self, request: Request) -> Response:
        number = request.path_params["page"]
        if refused := await self._receive(request):
            return refused
        if number not in self.pages:
            return problem(404, "not_found", "The document has no such page.", hint=f"It has {len(self.pages)} pages.")
        return JSONResponse(page(number, self.pages[number]))

    async def _protected_resource(self, _request: Request) -> Response:
        return JSONResponse(self.protected_resource, 200 if self.is_ready else 503)

    async def _ready(self, _request: Request) -> Response:
        return JSONResponse({}, 200 if self.is_ready else 503)


def key_record(*, toolsets: tuple[str, ...] = ("search",), expires_at: str | None = None) -> dict[str, Any]:
    return {
        "is_active": True,
        "principal": PRINCIPAL,
        "name": "Test",
        "can_write": False,
        "toolsets": list(toolsets),
        "expires_at": expires_at,
        "web_url": WEB_URL,
    }


def problem(status: int, code: str, detail: str, **more: Any) -> Response:
    body = {"type": "about:blank", "title": detail, "status": status, "detail": detail, "code": code, **more}
    return JSONResponse(body, status, media_type="application/problem+json")


def coverage(**more: int) -> dict[str, Any]:
    empty = {"documents_processing": 0, "documents_failed": 0, "pages_unreadable": 0}
    return {"documents_in_scope": 12, "documents_searched": 12, **empty, "share_embedded": 1.0} | more


def hit(number: int, text: str, *, match: str = "", tokens: int | None = None, **more: Any) -> dict[str, Any]:
    """A hit on page `number` of a document of its own; `match` is the matched words, found in the text."""
    start = max(text.find(match), 0) if match else 0
    snippet = text[start : start + 200]
    return {
        "chunk_id": str(uuid5(_SPACE, f"chunk {number}")),
        "document_id": str(uuid5(_SPACE, f"document {number}")),
        "document": f"policy-{number}.pdf",
        "title": f"Policy {number}",
        "collection": "default",
        "tags": ["policy"],
        "page_number": number,
        "last_page_number": number,
        "section_heading": f"{number}. Due diligence",
        "section_path": [f"{number}. Due diligence"],
        "content_type": "text",
        "language": "en",
        "chunk_index": number,
        "char_start": 0,
        "char_end": len(text),
        "token_count": tokens if tokens is not None else max(1, len(text) // 4),
        "importance": 0.5,
        "text": text,
        "snippet": {
            "text": snippet,
            "matches": [{"start": 0, "end": len(match)}] if match else [],
            "char_start": start,
            "char_end": start + len(snippet),
        },
        "sentence": None,
        "score": 0.0327868,
        "semantic_rank": number,
        "keyword_rank": number,
        "highlights": [],
        "page_images": "available",
        "links": {"document": "/d", "page": "/p", "rectangles": "/r", "original": "/o"},
        "explain": None,
        **more,
    }


def document(number: int, **more: Any) -> dict[str, Any]:
    return {
        "id": str(uuid5(_SPACE, f"document {number}")),
        "filename": f"policy-{number}.pdf",
        "title": f"Policy {number}",
        "aliases": [],
        "status": "ready",
        "page_count": 12,
        "chunk_count": 40,
        "embedded_chunk_count": 40,
        "unreadable_page_count": 0,
        "has_printed_pages": False,
        "page_images": "available",
        "content_type": "application/pdf",
        "size_bytes": 120_000,
        "sha256": "ab" * 32,
        "language": "en",
        "tags": ["policy", "aml"],
        "collection": {"id": str(uuid5(_SPACE, "collection")), "name": "default"},
        "created_by": "user:11111111-2222-4333-8444-555555555555",
        "is_owner": False,
        **dict.fromkeys(("keyword_ready_at", "ready_at", "created_at", "updated_at"), WHEN),
        "version": 1,
        **dict.fromkeys(("error", "deleted_at", "progress", "newer_version")),
        **more,
    }


def tag(name: str, document_count: int = 3, **more: Any) -> dict[str, Any]:
    identity = str(uuid5(_SPACE, f"tag {name}"))
    made = {"id": identity, "name": name, "color": "gray", "description": "", "created_at": WHEN}
    return {**made, "document_count": document_count, "is_owner": False, **more}


def page(number: int, text: str) -> dict[str, Any]:
    return {
        "page_number": number,
        "kind": "text",
        "text": text,
        "char_start": 0,
        "char_count": len(text),
        "chunk_count": 1,
        "width_points": 595.0,
        "height_points": 842.0,
        "language": "en",
        "note": None,
    }


def _page_of(items: list[dict[str, Any]], request: Request) -> Response:
    start, limit = int(request.query_params.get("cursor", 0)), int(request.query_params["limit"])
    end = start + limit
    cursor = str(end) if end < len(items) else None
    return JSONResponse({"items": items[start:end], "next_cursor": cursor, "total": len(items)})
