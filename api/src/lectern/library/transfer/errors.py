"""What can go wrong with an export."""

from lectern.errors import LecternError


class ExportExists(LecternError):
    """A file of this name is there already."""

    code = "export_exists"
    default_hint = "Choose another name; an export never replaces a file."


class ExportEmpty(LecternError):
    """No document has this tag or is in this collection."""

    code = "export_empty"
    default_hint = "Documents in the trash are not exported: restore them before."


class ExportBroken(LecternError):
    """This file is not a whole export of Lectern."""

    code = "export_broken"
    default_hint = (
        "Documents before the damaged place are in the library. Take another copy of the file and import again."
    )
