"""Find the files that an ONNX graph keeps its weights in, next to it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lectern.operations.model_store.errors import ModelUnsupported
from lectern.operations.model_store.record import validate_file_name


def list_external_files(path: Path) -> list[str]:
    """Return the names of the files that have tensors of this graph.

    Raises:
        ModelUnsupported: It is no ONNX file, or names a file outside its folder.
    """
    import onnx

    try:
        library: Any = onnx
        model = library.load_model(path, load_external_data=False)
    except BaseException as error:  # protobuf has no public class for a damaged file
        if type(error).__module__.startswith("google."):
            raise ModelUnsupported(f"{path.name} is no ONNX file.") from None
        raise
    names = sorted({name for tensor in _tensors(model.graph) for name in _locations(tensor)})
    try:
        return [validate_file_name(name.removeprefix("./")) for name in names]
    except ValueError as error:
        raise ModelUnsupported(f"The weights are in a file outside the folder: {error}.") from None


def _tensors(graph: Any) -> Iterator[Any]:  # noqa: ANN401 - onnx has no types for its messages
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            yield attribute.t
            yield from attribute.tensors
            for inner in (attribute.g, *attribute.graphs):
                yield from _tensors(inner)


def _locations(tensor: Any) -> Iterator[str]:  # noqa: ANN401 - onnx has no types for its messages
    return (entry.value for entry in tensor.external_data if entry.key == "location")
