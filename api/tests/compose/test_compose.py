"""The smoke test of the containers: everything works, everything may be killed, nothing is lost."""

from pathlib import Path
from typing import Any

import pypdfium2
import pytest

pytestmark = [
    pytest.mark.serial,
    pytest.mark.slow,
    pytest.mark.needs("Docker with its compose plugin, or podman with podman-compose"),
    pytest.mark.timeout(1800),
]
DOCUMENTS = Path(__file__).parents[3] / "test-docs" / "documents"
POLICY = DOCUMENTS / "travel-and-expenses-policy.pdf"
SCAN = DOCUMENTS / "verbale-collaudo-scansione.pdf"
QUESTION, ANSWER = "hotel limit per night in London", ("travel-and-expenses-policy.pdf", 3)
OTHERS = {
    "db": DOCUMENTS / "resi-e-garanzie.pdf",
    "api": DOCUMENTS / "trasferte-e-rimborsi.pdf",
    "worker": DOCUMENTS / "annual-report-2025.pdf",
    "mcp": DOCUMENTS / "avviso-chiusura-ponte.txt",
}


@pytest.fixture
def policy(library: Any) -> str:
    """A document that is there and ready; uploading it again changes nothing."""
    document_id = library.upload(POLICY)
    library.wait_until_ready(document_id)
    return document_id


@pytest.mark.usefixtures("policy")
def test_an_uploaded_document_is_found_over_rest_and_over_mcp_on_the_right_page(library: Any) -> None:
    assert library.search(QUESTION)[0] == ANSWER
    assert library.search_over_mcp(QUESTION)[0] == ANSWER


@pytest.mark.usefixtures("policy")
def test_scans_are_read_in_both_languages_of_the_image(library: Any, tmp_path: Path) -> None:
    picture = tmp_path / "car.png"
    pypdfium2.PdfDocument(POLICY)[2].render(scale=3).to_pil().save(picture)  # pyright: ignore[reportUnknownMemberType]
    for file in (picture, SCAN):
        library.wait_until_ready(library.upload(file))

    assert (picture.name, 1) in library.search("private car per kilometre, tolls and parking")
    assert library.search("collaudo dell'impianto antincendio di Porto Levante")[0] == (
        "verbale-collaudo-scansione.pdf",
        1,
    )


@pytest.mark.usefixtures("policy")
@pytest.mark.parametrize("service", OTHERS)
def test_a_killed_service_comes_back_and_nothing_is_lost(stack: Any, library: Any, service: str) -> None:
    document_id = library.upload(OTHERS[service])
    before = library.count()
    stack.on_container("kill", service)
    stack.on_container("start", service)
    stack.wait_until_healthy()
    library.wait_for_gateway()

    library.wait_until_ready(document_id)
    assert library.count() == before
    assert library.search(QUESTION)[0] == ANSWER
    assert library.search_over_mcp(QUESTION)[0] == ANSWER


@pytest.mark.usefixtures("policy")
def test_recreated_containers_find_the_stored_data(stack: Any, library: Any) -> None:
    before = library.count()
    stack.compose("down", seconds=180)
    stack.compose("up", "-d", seconds=300)
    stack.wait_until_healthy()
    library.sign_in()

    assert library.count() == before
    assert library.search(QUESTION)[0] == ANSWER


@pytest.mark.parametrize("service", ["db", "api", "worker", "mcp", "frontend"])
def test_a_service_runs_without_privileges(stack: Any, service: str) -> None:
    user = {"db": "postgres"}.get(service, "10001")
    assert user in stack.on_container("exec", service, "stat", "-c", "%u %U", "/proc/1").split()
    assert "CapEff:\t0000000000000000" in stack.on_container("exec", service, "cat", "/proc/1/status")


def test_the_services_sign_in_to_the_database_with_a_role_that_owns_nothing(stack: Any) -> None:
    owned = "SELECT count(*) FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner WHERE r.rolname = 'lectern_service'"
    sessions = "SELECT DISTINCT usename FROM pg_stat_activity WHERE client_addr IS NOT NULL"
    query = ("psql", "-U", "postgres", "-d", "lectern", "-At", "-c")

    assert stack.on_container("exec", "db", *query, owned).strip() == "0"
    assert stack.on_container("exec", "db", *query, sessions).split() == ["lectern_service"]


def test_a_service_has_only_the_secrets_that_it_needs(stack: Any) -> None:
    service = {"database_service_password", "database_url"}
    expected = {
        "db": service | {"database_owner_password", "database_owner_url"},
        "api": service | {"jwt_secret_key", "admin_password", "backend_api_key"},
        "worker": service | {"jwt_secret_key"},
        "mcp": {"backend_api_key"},
    }
    for name, files in expected.items():
        listed = stack.on_container("exec", name, "find", "/run/lectern", "-type", "f", "-printf", "%f %m\\n")
        assert set(listed.split("\n")) - {""} == {f"{file} 600" for file in files}, name


def test_no_log_has_a_secret_and_one_names_the_administrator(stack: Any) -> None:
    files = stack.on_container("exec", "api", "find", "/run/lectern", "-type", "f", "-size", "+0").split()
    secrets = {stack.on_container("exec", "api", "cat", file) for file in files} | {stack.password, stack.mcp_key}
    logs = {name: stack.whole_log(name) for name in ("db", "migrate", "api", "worker", "mcp", "frontend")}
    logs["first start"] = stack.log_of_first_start

    assert {name for name, log in logs.items() for secret in secrets if secret in log} == set()
    command = "docker compose exec api lectern first-password"
    assert f"as admin@lectern.local. Show the password once: {command}" in logs["first start"]


def test_only_the_services_of_the_database_reach_it(stack: Any) -> None:
    reach = "import socket; socket.create_connection(('db', 5432), 5)"

    assert stack.on_container("exec", "worker", "python", "-c", reach) == ""
    with pytest.raises(AssertionError, match=r"gaierror|TimeoutError"):
        stack.on_container("exec", "mcp", "python", "-c", reach)


def test_the_generated_signing_key_is_rotated_and_nobody_has_to_sign_in_again(stack: Any, library: Any) -> None:
    signing_key = ("exec", "api", "sh", "-c", "cat /run/lectern/*/jwt_secret_key")
    count, before = library.count(), stack.on_container(*signing_key).strip()

    stack.compose("run", "--rm", "migrate", "keys", "rotate-signing", seconds=300)
    stack.compose("restart", "api", "worker", seconds=300)
    stack.wait_until_healthy()
    library.wait_for_gateway()

    new, previous = stack.on_container(*signing_key).strip().split(",")
    assert (previous, new != before) == (before, True)
    assert library.count() == count, "the session from before"
    library.sign_in()
    assert library.count() == count


@pytest.mark.usefixtures("policy")
def test_values_of_the_settings_file_replace_generated_ones(stack: Any, library: Any) -> None:
    before = library.count()
    lines = (
        f"DATABASE_SERVICE_PASSWORD={'new-password-' * 3}",
        f"JWT_SECRET_KEY={'new-signing-key-' * 3}",
        "LECTERN_ANSWERS_API_KEY=for-the-api-only",
    )
    (stack.folder / ".env").write_text("\n".join(lines) + "\n")
    stack.compose("down", seconds=180)
    stack.compose("up", "-d", seconds=300)
    stack.wait_until_healthy()
    with pytest.raises(AssertionError, match="401"):
        library.count()
    library.sign_in()

    assert library.count() == before
    assert stack.on_container("exec", "worker", "sh", "-c", "echo $LECTERN_ANSWERS_API_KEY").strip() == ""
