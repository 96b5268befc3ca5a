"""People who may sign in, as administrators see them."""

from lectern.accounts.schemas import Email, NewPassword, RoleName
from lectern.http.schemas import Name, PartialUpdate, RequestModel


class UserCreate(RequestModel):
    """A new person."""

    email: Email
    password: NewPassword
    name: Name | None = None
    role: RoleName = "reader"


class UserUpdate(PartialUpdate):
    """What is given is changed. A new password or `is_active: false` ends every sign-in of the person."""

    name: Name | None = None
    role: RoleName | None = None
    is_active: bool | None = None
    password: NewPassword | None = None
