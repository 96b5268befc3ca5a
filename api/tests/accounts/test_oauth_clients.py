"""OAuth clients: registration by anybody, metadata documents at an https address, and redirect URIs."""

import asyncio
import datetime as dt
import ipaddress
import json
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.throwaway import ThrowawayDatabase, ThrowawayPostgres
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.accounts.oauth_client import CALLBACK, OAUTH, OAuthTestClient, register, register_raw
from tests.api import Api, api_settings, open_api

from lectern.settings import ExtractsSettings


@pytest.fixture(scope="module")
async def api(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Api]:
    """One API for all tests. Each registers a client of its own."""
    with postgres.fresh_database() as database:
        async with open_api(api_settings(database, tmp_path_factory.mktemp("clients"))) as made:
            yield made


async def test_registration_says_what_was_registered(api: Api) -> None:
    wanted = {"token_endpoint_auth_method": "client_secret_post", "software_id": "x", "scope": "search"}
    response = await register_raw(api, redirect_uris=[CALLBACK], client_name=" Claude\u202e  web ", **wanted)
    assert response.status_code == 201
    assert response.headers["cache-control"] == "no-store"
    client = response.json()
    assert (client["client_name"], client["redirect_uris"]) == ("Claude web", [CALLBACK])
    assert client["token_endpoint_auth_method"] == "none"
    assert "client_secret" not in client


async def test_a_client_without_a_name_is_called_by_its_host(api: Api) -> None:
    assert (await register_raw(api, redirect_uris=[CALLBACK])).json()["client_name"] == "claude.example"


@pytest.mark.parametrize(
    "uri",
    [
        "http://claude.example/callback",
        "http://10.0.0.7/callback",
        "http://127.0.0.1.evil.example/callback",
        "javascript:alert(1)",
        "data:text/html,x",
        "cursor://anything/callback",
        "https://claude.example/callback#fragment",
        "https://claude.example/callback#",
        "https://somebody@claude.example/callback",
        "https:///callback",
        "https://claude.example/ callback",
        "https://claude.example\\@evil.example/",
        "https://claude.example:99999/",
        "https://cläude.example/",
        "//claude.example/callback",
        "",
        f"https://claude.example/{'x' * 2_048}",
    ],
)
async def test_redirects_are_https_or_loopback(api: Api, uri: str) -> None:
    response = await register_raw(api, redirect_uris=[CALLBACK, uri])
    assert (response.status_code, response.json()["error"]) == (400, "invalid_redirect_uri")


@pytest.mark.parametrize(
    ("metadata", "error"),
    [
        ({}, "invalid_redirect_uri"),
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": CALLBACK}, "invalid_redirect_uri"),
        ({"redirect_uris": [CALLBACK] * 11}, "invalid_redirect_uri"),
        ({"redirect_uris": [CALLBACK], "client_name": 7}, "invalid_client_metadata"),
        ({"redirect_uris": [CALLBACK], "grant_types": ["client_credentials"]}, "invalid_client_metadata"),
        ({"redirect_uris": [CALLBACK], "response_types": ["token"]}, "invalid_client_metadata"),
    ],
)
async def test_wrong_metadata_gets_the_errors_of_the_standard(api: Api, metadata: dict[str, Any], error: str) -> None:
    response = await register_raw(api, **metadata)
    assert (response.status_code, response.json()["error"]) == (400, error)


async def test_a_body_that_is_no_object_is_refused(api: Api) -> None:
    for content in (b"", b"[]", b"{", b'{"redirect_uris": ["\xff"]}', b'{"redirect_uris":["https://a.b/\\ud800"]}'):
        response = await api.client.post(f"{OAUTH}/register", content=content)
        assert response.status_code == 400, content


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
async def test_a_loopback_redirect_may_have_any_port(api: Api, host: str) -> None:
    client, person = await register(api, f"http://{host}:1234/callback"), await api.person()
    for uri, is_right in (
        (f"http://{host}:61000/callback", True),
        (f"http://{host}/callback", True),
        (f"http://{host}:61000/other", False),
        (f"https://{host}:61000/callback", False),
        ("http://127.0.0.2:1234/callback", False),
    ):
        shown = await client.preview(person, redirect_uri=uri)
        assert shown.is_success is is_right, uri
        assert not is_right or shown.json()["is_loopback"]


async def test_the_query_of_a_redirect_address_stays(api: Api) -> None:
    client = await register(api, f"{CALLBACK}?tenant=7&empty=")
    back = (await client.decide(await api.person(), None)).json()["redirect_to"]
    assert back.startswith(f"{CALLBACK}?tenant=7&empty=&error=access_denied&")


async def test_registrations_are_limited_by_address(database: ThrowawayDatabase, tmp_path: Path) -> None:
    settings = api_settings(database, tmp_path, accounts={"login_attempts_per_15_minutes": 3})
    async with open_api(settings) as api:
        sent = [await register_raw(api, redirect_uris=[CALLBACK]) for _ in range(4)]
        assert [response.status_code for response in sent] == [201, 201, 201, 429]
        assert int(sent[-1].headers["retry-after"]) > 1


async def test_clients_that_nobody_connected_are_deleted(database: ThrowawayDatabase, tmp_path: Path) -> None:
    async with open_api(api_settings(database, tmp_path)) as api:
        used, unused = await register(api), await register(api)
        await used.connect(await api.person())
        await api.sql("UPDATE oauth_clients SET created_at = now() - interval '31 days'")
        await api.sql("UPDATE oauth_tokens SET expires_at = now() - interval '25 hours'")
        await register(api)
        assert {row.id for row in await api.sql("SELECT id FROM oauth_clients")} >= {used.client_id}
        assert await api.sql("SELECT FROM oauth_clients WHERE id = :id", id=unused.client_id) == []
        assert await api.sql("SELECT FROM oauth_tokens") == []


@asynccontextmanager
async def https_site(folder: Path, answers: dict[str, bytes]) -> AsyncGenerator[str]:
    """Serve raw responses by path on loopback with a certificate in `folder`. Yields the address."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now, host = dt.datetime.now(dt.UTC), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(1).not_valid_before(now).not_valid_after(now + dt.timedelta(days=1))
    builder = builder.add_extension(x509.SubjectAlternativeName([host]), critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    certificate, private = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    pem = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    private.write_bytes(key.private_bytes(*pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, private)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readline()).split()[1].decode()
        writer.write(answers.get(path, b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with server:
        yield f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def ok(document: Any) -> bytes:
    return b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + json.dumps(document).encode()


async def test_a_client_may_be_a_metadata_document(
    database: ThrowawayDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: dict[str, bytes] = {}
    allowed = ExtractsSettings(allowed=["127.0.0.1"])
    settings = replace(api_settings(database, tmp_path), extracts=allowed)
    async with https_site(tmp_path, answers) as site, open_api(settings) as api:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
        url, person = f"{site}/client.json", await api.person()
        right = {"client_id": url, "client_name": "Chat", "redirect_uris": [CALLBACK, "javascript:alert(1)"]}
        client = OAuthTestClient(api, url)
        answers["/client.json"] = ok(right)
        shown = (await client.preview(person)).json()
        assert (shown["client_name"], shown["client_host"]) == ("Chat", "127.0.0.1")
        tokens = await client.connect(person)
        assert (await client.refresh(tokens["refresh_token"])).status_code == 200
        assert not (await client.preview(person, redirect_uri="javascript:alert(1)")).is_success
        answers["/moved.json"] = b"HTTP/1.1 302 Found\r\nLocation: /client.json\r\nConnection: close\r\n\r\n"
        for path, answer in (
            ("/client.json", ok(right | {"client_id": f"{site}/other.json"})),
            ("/client.json", ok(right | {"client_secret": "x"})),
            ("/client.json", ok(right | {"token_endpoint_auth_method": "client_secret_post"})),
            ("/client.json", ok(right | {"redirect_uris": []})),
            ("/client.json", ok([right])),
            ("/client.json", ok(right | {"client_name": "x" * 70_000})),
            ("/moved.json", answers["/moved.json"]),
            ("/absent.json", b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
        ):
            answers[path] = answer
            refused = await client.preview(person, client_id=site + path)
            assert 400 <= refused.status_code < 500, (path, refused.text)


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/client.json",  # private, and not in LECTERN_FETCH_ALLOWED
        "https://[::ffff:127.0.0.1]/client.json",
        "https://169.254.169.254/client.json",
        "https://localhost/client.json",
        "http://claude.example/client.json",
        "https://claude.example",
        "https://claude.example/",
        "https://claude.example/a/../client.json",
        "https://claude.example/client.json#x",
        "https://a@claude.example/client.json",
        "https://[broken/client.json",
    ],
)
async def test_documents_at_other_addresses_are_not_fetched(api: Api, url: str) -> None:
    refused = await OAuthTestClient(api, url).preview(await api.person())
    assert 400 <= refused.status_code < 500, refused.text
