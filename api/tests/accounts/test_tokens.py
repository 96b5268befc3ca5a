"""Signing keys and their rotation, and the code that signs: HS256 with `cryptography`, and nothing else of jose."""

import base64
import json
import re
import subprocess
import sys
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from lectern.accounts.context import signing_keys
from lectern.accounts.tokens import TokenClaims, Tokens
from lectern.errors import Misconfigured
from lectern.settings import AccountsSettings

OLD, NEW, OTHER = (SecretStr(letter * 40) for letter in "onx")
CLAIMS = TokenClaims(uuid.uuid4(), uuid.uuid4())
BACKENDS = """
import sys
import lectern.app, lectern.worker, lectern.cli.main
from jose import jwk
print(jwk.get_key("HS256").__module__)
print(*sorted(name for name in sys.modules if name.split(".")[0] in ("ecdsa", "rsa", "pyasn1")), "-")
print(*sorted(name for name in sys.modules if name.startswith("jose.backends.")))
"""


def sign(*keys: SecretStr) -> str:
    return Tokens(keys).sign(CLAIMS, audience="lectern:access", now=datetime.now(UTC), life=timedelta(hours=1))


def read(token: str, *keys: SecretStr) -> TokenClaims | None:
    return Tokens(keys).read(token, audience="lectern:access")


def part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def header_of(token: str) -> dict[str, str]:
    encoded = token.split(".", maxsplit=1)[0]
    return json.loads(base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)))


def test_tokens_of_the_previous_key_are_valid_until_it_is_dropped() -> None:
    before, after = sign(OLD), sign(NEW, OLD)
    assert header_of(before)["kid"] != header_of(after)["kid"]
    assert header_of(after)["kid"] == header_of(sign(NEW))["kid"]
    assert [read(token, NEW, OLD) for token in (before, after)] == [CLAIMS, CLAIMS]
    assert [read(token, NEW) for token in (before, after)] == [None, CLAIMS]


@pytest.mark.parametrize(
    "change",
    [
        {"kid": "0" * 16},
        {"kid": None},
        {"kid": ["x"]},
        {"kid": "../../dev/null"},
        {"alg": "none"},
        {"alg": "None"},
        {"alg": "HS384"},
        {"alg": "HS512"},
        {"alg": "RS256"},
        {"alg": "ES256"},
        {"jku": "https://example.org/keys", "kid": "x"},
    ],
)
def test_a_changed_header_is_refused(change: dict[str, object]) -> None:
    _, content, signature = sign(NEW).split(".")
    header = part({**header_of(sign(NEW)), **change})
    for given in (signature, ""):
        assert read(f"{header}.{content}.{given}", NEW, OLD) is None


def test_a_token_that_names_the_key_of_another_signature_is_refused() -> None:
    """The named key verifies. No other key is tried."""
    header = sign(OTHER).split(".")[0]
    _, content, signature = sign(NEW).split(".")
    assert read(f"{header}.{content}.{signature}", NEW, OTHER) is None


def test_the_setting_takes_several_keys() -> None:
    settings = AccountsSettings(jwt_secret_key=SecretStr(f"{'n' * 40}, {'o' * 40}"))
    assert [key.get_secret_value() for key in signing_keys(settings)] == ["n" * 40, "o" * 40]


@pytest.mark.parametrize("value", ["", "short", f"{'n' * 40},short", f"{'n' * 40},", f",{'n' * 40}"])
def test_each_key_of_the_setting_must_be_long_enough(value: str) -> None:
    with pytest.raises(Misconfigured, match="JWT_SECRET_KEY"):
        signing_keys(AccountsSettings(jwt_secret_key=SecretStr(value)))


def test_only_the_backend_of_cryptography_is_reached() -> None:
    """Python-jose installs `ecdsa` and `rsa`. Importing the API, the worker and the commands does not load them."""
    done = subprocess.run([sys.executable, "-c", BACKENDS], capture_output=True, text=True, check=True)
    module, unwanted, backends = done.stdout.splitlines()
    assert module == "jose.backends.cryptography_backend"
    assert unwanted == "-"
    loaded = {name.removeprefix("jose.backends.") for name in backends.split()}
    assert loaded == {"base", "cryptography_backend", "native"}  # `native` gives random bytes


def test_only_one_module_imports_jose_and_names_one_algorithm() -> None:
    source = Path(__file__).parents[2] / "src" / "lectern"
    users = [path for path in source.rglob("*.py") if re.search(r"(from|import) jose\b", path.read_text())]
    assert [path.relative_to(source).as_posix() for path in users] == ["accounts/tokens.py"]
    text = users[0].read_text()
    assert 'ALGORITHM: Final = "HS256"' in text
    assert "algorithms=[_ALGORITHM]" in text
