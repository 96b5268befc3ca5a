"""Errors of collections."""

from lectern.errors import Conflict, InvalidRequest, NotFound
from lectern.http.references import UnknownReference


class CollectionNotFound(NotFound):
    """No collection has this id."""

    code = "collection_not_found"


class UnknownCollection(UnknownReference):
    """No collection has this name or id."""

    code = "unknown_collection"


class AmbiguousCollection(InvalidRequest):
    """The names of several collections differ from this one in case only."""

    code = "ambiguous_collection"


class CollectionNameTaken(Conflict):
    """Another collection has this name."""

    code = "collection_name_taken"
    default_hint = "Choose another name."


class CollectionNotEmpty(Conflict):
    """This collection has documents, or documents in the trash."""

    code = "collection_not_empty"
    default_hint = "Move them to another collection, or purge them first."


class DefaultCollection(Conflict):
    """The default collection cannot be deleted."""

    code = "default_collection"
    default_hint = "Make another collection the default first."
