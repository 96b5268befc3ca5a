"""Errors of tags."""

from lectern.errors import Conflict, Forbidden, InvalidRequest, NotFound
from lectern.http.references import UnknownReference


class TagNotFound(NotFound):
    """No tag has this id."""


class UnknownTag(UnknownReference):
    """No tag has this name or id."""


class TagNameTaken(Conflict):
    """Another tag has this name."""

    default_hint = "Choose another name, or merge the tags."


class InvalidTagName(InvalidRequest):
    """The name of a tag must have 1 to 100 characters."""


class TagsNotYours(Forbidden):
    """A document that you cannot change has this tag."""

    default_hint = "Ask an administrator, or somebody with write access to all its documents."
