"""Errors of tags."""

from lectern.errors import Conflict, Forbidden, InvalidRequest, NotFound
from lectern.http.references import UnknownReference


class TagNotFound(NotFound):
    """No tag has this id."""

    code = "tag_not_found"


class UnknownTag(UnknownReference):
    """No tag has this name or id."""

    code = "unknown_tag"


class TagNameTaken(Conflict):
    """Another tag has this name."""

    code = "tag_name_taken"
    default_hint = "Choose another name, or merge the tags."


class InvalidTagName(InvalidRequest):
    """The name of a tag must have 1 to 100 characters."""

    code = "invalid_tag_name"


class TagsNotYours(Forbidden):
    """A document that you cannot change has this tag."""

    code = "tags_not_yours"
    default_hint = "Ask an administrator, or somebody with write access to all its documents."
