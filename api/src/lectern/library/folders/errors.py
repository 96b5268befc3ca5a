"""Errors of watched folders."""

from lectern.errors import Conflict, Forbidden, InvalidRequest, NotFound, Unavailable


class FolderNotWatched(NotFound):
    """This collection watches no folder."""

    default_hint = "An administrator binds one with `lectern folders watch`."


class FoldersOff(Forbidden):
    """Watched folders are switched off."""

    default_hint = "Set LECTERN_FOLDER_ROOTS to the allowed parent directories, for commands too, and restart."


class FolderOutside(InvalidRequest):
    """This path is outside the directories that may be watched."""

    default_hint = "Choose a directory inside one of LECTERN_FOLDER_ROOTS. Links must not lead outside."


class FolderNotFound(InvalidRequest):
    """No directory can be read at this path."""

    default_hint = "Check the path. The API and the workers must see it. In containers, mount it into both."


class FolderGone(Unavailable):
    """The watched folder cannot be read."""

    default_hint = "Nothing was changed. Mount or restore it. If it has moved, bind the collection again."


class FolderBusy(Conflict):
    """Another scan of this folder is running."""

    default_hint = "Try again after it has finished."
