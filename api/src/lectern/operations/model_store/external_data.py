"""Find the files that an ONNX graph keeps its weights in, next to it.

Only the fields that lead to their names are described here, with the numbers of `onnx.proto`. The package `onnx` would
add 9 MB to every installation for them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass

from lectern.operations.model_store.errors import ModelUnsupported
from lectern.operations.model_store.record import validate_file_name

# Field, number, message (or text), and whether it repeats.
_MESSAGES: Final[dict[str, tuple[tuple[str, int, str, bool], ...]]] = {
    "Model": (("graph", 7, "Graph", False),),
    "Graph": (("node", 1, "Node", True), ("initializer", 5, "Tensor", True)),
    "Node": (("attribute", 5, "Attribute", True),),
    "Attribute": (
        ("t", 5, "Tensor", False),
        ("g", 6, "Graph", False),
        ("tensors", 10, "Tensor", True),
        ("graphs", 11, "Graph", True),
    ),
    "Tensor": (("external_data", 13, "Entry", True),),
    "Entry": (("key", 1, "", False), ("value", 2, "", False)),
}


def list_external_files(path: Path) -> list[str]:
    """Return the names of the files that have tensors of this graph.

    Raises:
        ModelUnsupported: It is no ONNX file, or names a file outside its folder.
    """
    model: Any = _MODEL()
    try:
        model.ParseFromString(path.read_bytes())
    except DecodeError:
        raise ModelUnsupported(f"{path.name} is no ONNX file.") from None
    names = sorted({name for tensor in _tensors(model.graph) for name in _locations(tensor)})
    try:
        return [validate_file_name(name.removeprefix("./")) for name in names]
    except ValueError as error:
        raise ModelUnsupported(f"The weights are in a file outside the folder: {error}.") from None


def _describe() -> Any:  # noqa: ANN401 - protobuf makes the class
    file = FileDescriptorProto(name="lectern/onnx.proto", package="lectern.onnx", syntax="proto2")
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for field, number, kind, repeats in fields:
            message.field.add(
                name=field,
                number=number,
                label=FieldDescriptorProto.LABEL_REPEATED if repeats else FieldDescriptorProto.LABEL_OPTIONAL,
                type=FieldDescriptorProto.TYPE_MESSAGE if kind else FieldDescriptorProto.TYPE_STRING,
                type_name=f".lectern.onnx.{kind}" if kind else None,
            )
    pool = DescriptorPool()
    pool.Add(file)
    return GetMessageClass(pool.FindMessageTypeByName("lectern.onnx.Model"))


def _tensors(graph: Any) -> Iterator[Any]:  # noqa: ANN401 - a message of `_MESSAGES`
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            yield attribute.t
            yield from attribute.tensors
            for inner in (attribute.g, *attribute.graphs):
                yield from _tensors(inner)


def _locations(tensor: Any) -> Iterator[str]:  # noqa: ANN401 - a message of `_MESSAGES`
    return (entry.value for entry in tensor.external_data if entry.key == "location")


_MODEL: Final = _describe()
