"""Errors of watched folders."""

from lectern.errors import Conflict, Forbidden, InvalidRequest, NotFound, Unavailable


class FolderNotWatched(NotFound):
    """This collection watches no folder."""

    code = "folder_not_watched"
    default_hint = "An administrator binds one with `lectern folders watch`."


class FoldersOff(Forbidden):
    """Watched folders are switched off."""

    code = "folders_off"
    default_hint = "Set LECTERN_FOLDER_ROOTS to the allowed parent directories, and restart."


class FolderOutside(InvalidRequest):
    """This path is outside the directories that may be watched."""

    code = "folder_outside"
    default_hint = "Choose a directory inside one of LECTERN_FOLDER_ROOTS. Links must not lead outside."


class FolderNotFound(InvalidRequest):
    """No directory can be read at this path."""

    code = "folder_not_found"
    default_hint = "Check the path. The API and the workers must see it. In containers, mount it into both."


class FolderGone(Unavailable):
    """The watched folder cannot be read."""

    code = "folder_gone"
    default_hint = "Nothing was changed. Mount or restore it. If it has moved, bind the collection again."


class FolderBusy(Conflict):
    """Another scan of this folder is running."""

    code = "folder_busy"
    default_hint = "Try again after it has finished."
