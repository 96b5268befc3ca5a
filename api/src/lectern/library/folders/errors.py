"""What can go wrong with watched folders."""

from lectern.errors import Conflict, Forbidden, InvalidRequest, NotFound, Unavailable


class FolderNotWatched(NotFound):
    """This collection watches no folder."""

    code = "folder_not_watched"
    default_hint = "PUT /collections/{id}/folder binds one to it."


class FoldersOff(Forbidden):
    """Watching folders is switched off."""

    code = "folders_off"
    default_hint = "Set LECTERN_FOLDER_ROOTS to the directories below which folders may be watched, and start again."


class FolderOutside(InvalidRequest):
    """This path is not below a directory that may be watched."""

    code = "folder_outside"
    default_hint = "Choose a directory below one of LECTERN_FOLDER_ROOTS; links do not lead out of them."


class FolderGone(Unavailable):
    """The watched folder cannot be read."""

    code = "folder_gone"
    default_hint = "Nothing was changed. Mount or restore it; if it has moved, bind the collection anew."


class FolderBusy(Conflict):
    """This folder is being looked through just now."""

    code = "folder_busy"
    default_hint = "Try again when it is done."
