"""What can go wrong with tags."""

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
    default_hint = "To make one of two tags, merge them."


class InvalidTagName(InvalidRequest):
    """A tag's name has 1 to 100 characters."""

    code = "invalid_tag_name"


class TagsNotYours(Forbidden):
    """Tags can only be changed by those who see all documents that may carry them."""

    code = "tags_not_yours"
