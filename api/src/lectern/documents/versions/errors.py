"""What can go wrong with versions."""

from lectern.errors import Conflict, NotFound


class VersionNotFound(NotFound):
    """This document has no version with this number."""

    code = "version_not_found"


class NameNotUnique(Conflict):
    """Several documents of the collection have this name."""

    code = "name_not_unique"
    default_hint = "Say which one: send the file to `PUT /documents/{id}/content`."
