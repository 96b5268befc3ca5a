"""Errors of collections."""

from lectern.errors import Conflict, InvalidRequest, NotFound
from lectern.http.references import UnknownReference


class CollectionNotFound(NotFound):
    """No collection has this id."""


class UnknownCollection(UnknownReference):
    """No collection has this name or id."""


class AmbiguousCollection(InvalidRequest):
    """The names of several collections differ from this one in case only."""


class CollectionNameTaken(Conflict):
    """Another collection has this name."""

    default_hint = "Choose another name."


class CollectionNotEmpty(Conflict):
    """This collection has documents, or documents in the trash."""

    default_hint = "Move them to another collection, or purge them first."


class DefaultCollection(Conflict):
    """The default collection cannot be deleted."""

    default_hint = "Make another collection the default first."
