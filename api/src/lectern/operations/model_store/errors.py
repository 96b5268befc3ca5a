"""Errors of the model store."""

from lectern.errors import Conflict, InvalidRequest, NotFound, Unavailable


class ModelNotFound(NotFound):
    """No added model has this name."""

    default_hint = "`lectern models list` shows the names."


class ModelSourceUnknown(InvalidRequest):
    """Name the folder or the address that has the files of this model."""

    default_hint = "Add a folder with `lectern models add FOLDER`, or a name with `--from FOLDER` or `--from URL`."


class ModelSourceUnavailable(Unavailable):
    """The source of this model cannot be read."""

    default_hint = "Nothing was added. Check the address and the connection, then run the command again."


class ModelFileMissing(NotFound):
    """A file of this model is missing."""

    default_hint = (
        "A model needs `tokenizer.json` and `model.onnx` or `onnx/model.onnx`. `--weights` names another file."
    )


class ModelFileChanged(Conflict):
    """A file of this model differs from its recorded SHA-256."""

    default_hint = "Do not use this model. Remove it and add it again from a source that you trust."


class ModelUnsupported(InvalidRequest):
    """This model cannot be run."""

    default_hint = "Correct the files of the model, or pass `--kind embedding` or `--kind reranker`."


class ModelExists(Conflict):
    """A model with this name exists or is being added."""

    default_hint = "Choose another name with `--name`, or run `lectern models remove` first."


class ModelInUse(Conflict):
    """A setting names this model."""

    default_hint = "Remove it from LECTERN_EMBEDDINGS, LECTERN_EMBEDDINGS_NEXT and LECTERN_RERANK first."
