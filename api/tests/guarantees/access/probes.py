"""Every operation with a foreign value in every field that can name one, derived from the OpenAPI description."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .values import EXEMPT, OWN, STREAMS, VARIANTS, Foreign, Values, foreign_values
from .worlds import Caller

METHODS = ("get", "post", "put", "patch", "delete")
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """A request that can be sent to both worlds."""

    method: str
    path: str
    params: dict[str, Any] = field(default_factory=dict[str, Any])
    headers: dict[str, str] = field(default_factory=dict[str, str])
    json: Any = None
    content: bytes | None = None
    files: list[tuple[str, tuple[str, bytes]]] | None = None

    def __str__(self) -> str:
        sent = self.json if self.content is None and self.files is None else self.content or self.files
        return f"{self.method} {self.path} {self.params or ''} {self.headers or ''} {'' if sent is None else sent}"


@dataclass(frozen=True, slots=True)
class Probe:
    """One field of an operation, with the values to try in it and one variant of the other fields.

    A probe without a field is a valid request of the caller.
    """

    operation: "Operation"
    variant: dict[str, Any]
    place: str = ""
    path: Path = ()
    values: Values | None = None

    def requests(self, caller: Caller, foreign: Foreign) -> list[Request]:
        """Return a request for every foreign value of the field."""
        if self.values is None:
            return [self.operation.request(caller, self.variant)]
        values = self.values(foreign)
        return [self.operation.request(caller, self.variant, (self.place, self.path, value)) for value in values]

    def __str__(self) -> str:
        return " ".join([self.operation.name, self.place, ".".join(self.path), str(self.variant or "")]).strip()


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the API."""

    name: str
    method: str
    path: str
    parameters: dict[Path, dict[str, Any]]
    body: dict[str, Any] | None
    is_upload: bool
    schemas: dict[str, Any] = field(repr=False)

    def fields(self) -> Iterator[tuple[str, Path, dict[str, Any]]]:
        """Return every field that holds text: its place, its path and its schema."""
        for (place, name), parameter in self.parameters.items():
            yield from ((place, (name, *path), leaf) for path, leaf in self._leaves(parameter["schema"]))
        if self.is_upload:
            yield from (("body", ("body",), {"type": "string"}), ("form", ("files",), {"type": "string"}))
        elif self.body:
            yield from (("json", path, leaf) for path, leaf in self._leaves(self.body))

    def probes(self) -> Iterator[Probe]:
        """Return a probe without a field, unless the response never ends, and one for each field."""
        if self.name not in STREAMS | EXEMPT.keys():
            yield from (Probe(self, variant) for variant in VARIANTS.get(self.name, [{}]))
        for place, path, _ in self.fields():
            name = next(part for part in reversed(path) if part != "[]")
            if values := foreign_values(self.name, name):
                for variant in VARIANTS.get(self.name, [{}]):
                    yield Probe(self, variant, place, path, values)

    def request(self, caller: Caller, variant: dict[str, Any], change: tuple[str, Path, Any] | None = None) -> Request:
        """Build a valid request of the caller, then set one field."""
        at: dict[str, dict[str, Any]] = {"path": {}, "query": {}, "header": {}, "cookie": {}}
        for (place, name), parameter in self.parameters.items():
            if parameter.get("required") or name in variant:
                at[place][name] = variant.get(name, self._own(caller, name, parameter["schema"]))
        at["query"] |= self._upload_parameters(caller)
        body = copy.deepcopy({**self._filled(caller, self.body), **variant}) if self.body else {}
        content = OWN["body"]
        if change:
            place, path, value = change
            if place in {"body", "form"}:
                content = value
            else:
                set_field(body if place == "json" else at[place], path, value)
        url = self.path.format(**at["path"])
        if not self.is_upload:
            return Request(self.method, url, at["query"], at["header"], json=body if self.body else None)
        if change and change[0] == "form":
            name = "file" if self.method == "PUT" else "files"
            files = [(name, (at["query"].pop("filename"), content))]
            return Request(self.method, url, at["query"], at["header"], files=files)
        headers = at["header"] | {"Content-Type": "application/octet-stream"}
        return Request(self.method, url, at["query"], headers, content=content)

    def _upload_parameters(self, caller: Caller) -> dict[str, Any]:
        if not self.is_upload:
            return {}
        wanted = {"filename": OWN["filename"], "collection": caller.own["collection"]}
        wanted["tags"] = list(caller.own["required_tags"])
        return {name: value for name, value in wanted.items() if ("query", name) in self.parameters}

    def _filled(self, caller: Caller, schema: dict[str, Any]) -> dict[str, Any]:
        """Return an object with the required properties of a schema."""
        found = self._resolved(schema)
        properties = found.get("properties", {})
        return {name: self._own(caller, name, properties[name]) for name in found.get("required", [])}

    def _own(self, caller: Caller, name: str, schema: dict[str, Any]) -> Any:
        if name in caller.own or name in OWN:
            return caller.own.get(name, OWN.get(name))
        return self._filled(caller, schema)

    def _resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in schema or "anyOf" in schema:
            if "$ref" in schema:
                schema = self.schemas[schema["$ref"].rsplit("/", 1)[-1]]
            else:
                schema = next(choice for choice in schema["anyOf"] if choice.get("type") != "null")
        return schema

    def _leaves(self, schema: dict[str, Any], path: Path = ()) -> Iterator[tuple[Path, dict[str, Any]]]:
        found = self._resolved(schema)
        if found.get("type") == "array":
            yield from self._leaves(found["items"], (*path, "[]"))
        elif "properties" in found:
            for name, inner in found["properties"].items():
                yield from self._leaves(inner, (*path, name))
        elif (
            found.get("type") == "string"
            and not found.keys() & {"enum", "const"}
            and found.get("format") != "date-time"
        ):
            yield path, found


def operations(description: dict[str, Any]) -> list[Operation]:
    """Return every operation of an OpenAPI description."""
    schemas = description["components"]["schemas"]
    found: list[Operation] = []
    for path, methods in description["paths"].items():
        for method in METHODS & methods.keys():
            raw = methods[method]
            content = raw.get("requestBody", {}).get("content", {})
            parameters = {(each["in"], each["name"]): each for each in raw.get("parameters", [])}
            body = content.get("application/json", {}).get("schema")
            is_upload = "multipart/form-data" in content
            found.append(Operation(raw["operationId"], method.upper(), path, parameters, body, is_upload, schemas))
    return sorted(found, key=lambda operation: operation.name)


def set_field(target: dict[str, Any], path: Path, value: Any) -> None:
    """Set a value in nested objects. `[]` puts it into a list."""
    name, *rest = path
    if rest == ["[]"]:
        target[name] = [*target.get(name, []), value] if name == "tags" else [value]
    elif rest[:1] == ["[]"]:
        items: list[dict[str, Any]] = target.setdefault(name, [{}])
        set_field(items[-1], tuple(rest[1:]), value)
    elif rest:
        inner = target.get(name)
        target[name] = inner if isinstance(inner, dict) else {}
        set_field(target[name], tuple(rest), value)
    else:
        target[name] = value
