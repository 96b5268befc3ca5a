"""`lectern users` and `lectern first-password`: user accounts."""

import sys
from collections.abc import Awaitable
from typing import Annotated, Final, Literal

import typer
from pydantic import SecretStr, TypeAdapter

from lectern.accounts.principals import Role
from lectern.accounts.schemas import Email, UserCreate, UserResponse, UserUpdate
from lectern.accounts.second_factor import service as second_factor
from lectern.accounts.sign_in.service import allow_local_passwords
from lectern.accounts.users import service
from lectern.cli.console import results, show, show_json, show_table
from lectern.cli.installation import data_folder, first_password_file, forget_first_password
from lectern.cli.open_installation import OPERATOR, OpenInstallation, on_session
from lectern.cli.options import DataDir, Json
from lectern.db.session import Session
from lectern.documents.grants.schemas import OwnershipTransferred
from lectern.documents.grants.service import transfer_ownership
from lectern.errors import InvalidRequest, NotFound
from lectern.settings import load_settings
from lectern.settings.secret_files import read_secret

app = typer.Typer(help="User accounts.", no_args_is_help=True)
_NEW_PASSWORD: Final = "Set a new one: `lectern users set-password E-MAIL`."  # noqa: S105 - a hint
MAX_USERS = 1_000_000
EmailArgument = Annotated[str, typer.Argument(help="E-mail address of the user.")]


@app.command("create")
def create(
    email: EmailArgument,
    name: Annotated[str | None, typer.Option(help="Name to show.")] = None,
    role: Annotated[Role, typer.Option(help="Role of the user.")] = "reader",
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Add a user. The password is read from the terminal or from standard input."""
    TypeAdapter(Email).validate_python(email)  # before somebody types a password twice
    wanted = UserCreate(email=email, password=ask_password(), name=name, role=role)

    def work(session: Session, bench: OpenInstallation) -> Awaitable[UserResponse]:
        return service.create_user(session, OPERATOR.actor, wanted=wanted, accounts=bench.accounts())

    made = on_session(work, data_dir=data_dir)
    show(made, f"{made.email} may sign in as {made.role}.", is_json=is_json)


@app.command("list")
def list_users(data_dir: DataDir = None, is_json: Json = False) -> None:
    """List all users, oldest first."""
    users = on_session(lambda session, _: _all_users(session), data_dir=data_dir)
    if is_json:
        show_json(users)
        return
    states = ("disabled", "active")
    factors = ("no", "yes")
    rows = [(one.email, one.name, one.role, states[one.is_active], factors[one.has_second_factor]) for one in users]
    show_table(
        ("e-mail", "name", "role", "state", "two-factor"),
        rows,
        empty="There is no user. Add one: `lectern users create E-MAIL`.",
    )


@app.command("set-password")
def set_password(email: EmailArgument, data_dir: DataDir = None, is_json: Json = False) -> None:
    """Set a user's password and end all sessions."""
    changed = _change(email, UserUpdate(password=ask_password()), data_dir=data_dir)
    show(changed, f"{changed.email} has a new password.", is_json=is_json)


@app.command("disable")
def disable(email: EmailArgument, data_dir: DataDir = None, is_json: Json = False) -> None:
    """Disable a user account. `enable` restores it."""
    changed = _change(email, UserUpdate(is_active=False), data_dir=data_dir)
    show(changed, f"{changed.email} can no longer sign in.", is_json=is_json)


@app.command("enable")
def enable(email: EmailArgument, data_dir: DataDir = None, is_json: Json = False) -> None:
    """Enable a disabled user account."""
    changed = _change(email, UserUpdate(is_active=True), data_dir=data_dir)
    show(changed, f"{changed.email} can sign in again.", is_json=is_json)


@app.command("transfer")
def transfer(
    email: EmailArgument,
    new_owner: Annotated[str, typer.Argument(help="E-mail address of the account that gets them.")],
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Give the documents and tags of a user to another account."""

    async def work(session: Session, _: OpenInstallation) -> OwnershipTransferred:
        user = await service.get_user_by_email(session, email)
        return await transfer_ownership(session, OPERATOR, user.id, email=new_owner.strip().lower())

    moved = on_session(work, data_dir=data_dir)
    show(moved, f"Given to {new_owner}: documents: {moved.documents:,}, tags: {moved.tags:,}.", is_json=is_json)


@app.command("reset-second-factor")
def reset_second_factor(email: EmailArgument, data_dir: DataDir = None, is_json: Json = False) -> None:
    """Turn off the two-factor authentication of a user who lost it."""

    async def work(session: Session, _: OpenInstallation) -> UserResponse:
        user = await service.get_user_by_email(session, email)
        await second_factor.reset(session, OPERATOR, user.id)
        return user

    user = on_session(work, data_dir=data_dir)
    value = {"id": user.id, "email": user.email, "has_second_factor": False}
    show(value, f"{user.email} can sign in with the password alone.", is_json=is_json)


@app.command("local-passwords")
def local_passwords(
    _: Annotated[Literal["on"], typer.Argument(metavar="on", help="Only administrators switch them off, in the UI.")],
    data_dir: DataDir = None,
    is_json: Json = False,
) -> None:
    """Let people sign in with passwords again, if single sign-on fails."""
    on_session(lambda session, _: allow_local_passwords(session, OPERATOR), data_dir=data_dir)
    show({"has_local_passwords": True}, "People can sign in with passwords again.", is_json=is_json)


def ask_password() -> SecretStr:
    """Read a password twice from a terminal, or one line of standard input."""
    if sys.stdin.isatty():
        return SecretStr(typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
    password = sys.stdin.readline().rstrip("\r\n")
    if not password:
        hint = "Run the command in a terminal (in a container: `docker exec -it`), or pipe a line to it."
        raise InvalidRequest("No password was given.", hint=hint)
    return SecretStr(password)


def _change(email: str, wanted: UserUpdate, *, data_dir: DataDir) -> UserResponse:
    async def work(session: Session, bench: OpenInstallation) -> UserResponse:
        user = await service.get_user_by_email(session, email)
        return await service.update_user(session, OPERATOR, user.id, wanted=wanted, accounts=bench.accounts())

    return on_session(work, data_dir=data_dir)


async def _all_users(session: Session) -> list[UserResponse]:
    return (await service.list_users(session, cursor=None, limit=MAX_USERS)).items


def first_password(data_dir: DataDir = None) -> None:
    """Print the generated password of the first administrator, and delete it. It is shown once."""
    folder = data_folder(load_settings(), data_dir)
    path = first_password_file(folder)
    password = read_secret(path, path.name) if path.is_file() else ""
    if not password:
        raise NotFound("There is no first password to show.", hint=_NEW_PASSWORD)

    def work(session: Session, bench: OpenInstallation) -> Awaitable[bool]:
        return service.opens_first_account(session, SecretStr(password), accounts=bench.accounts())

    if not on_session(work, data_dir=data_dir):
        forget_first_password(folder)
        raise NotFound("The first password was changed and no longer works.", hint=_NEW_PASSWORD)
    results.print(password, markup=False)
    forget_first_password(folder)
