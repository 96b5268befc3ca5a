"""Facts about Python files for the tests of the house rules. Each file is parsed once."""

import ast
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
READERS = {"environ", "environb", "getenv"}


@dataclass(frozen=True, slots=True)
class Handler:
    """An exception handler of one class."""

    error: str
    line: int
    has_raise: bool


@dataclass(slots=True)
class SourceFacts:
    """Facts about a module, collected in one walk of its tree."""

    identifiers: set[str] = field(default_factory=set[str])
    """Names that the module defines: classes, functions, arguments, attributes and variables."""
    classes: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    """Names and lines of its classes."""
    functions: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    """Names and lengths of its functions."""
    docstrings: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    """Lines of what they describe, and their texts."""
    handlers: list[Handler] = field(default_factory=list[Handler])
    environment_reads: list[int] = field(default_factory=list[int])
    """Lines that read `os.environ` or `os.getenv`, or import either of them."""


@cache
def read_facts(path: Path) -> SourceFacts:
    """Return the facts about a file."""
    return collect_facts(path.read_text(encoding="utf-8"))


def collect_facts(source: str) -> SourceFacts:
    """Return the facts about a source text."""
    facts = SourceFacts()
    for node in ast.walk(ast.parse(source)):
        _add_names(node, facts)
        _add_statements(node, facts)
    return facts


def _add_names(node: ast.AST, facts: SourceFacts) -> None:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            facts.identifiers.add(name)
        case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            facts.identifiers.add(name)
        case _:
            pass


def _add_statements(node: ast.AST, facts: SourceFacts) -> None:
    match node:
        case ast.ClassDef():
            facts.classes.append((node.name, node.lineno))
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            facts.functions.append((node.name, (node.end_lineno or node.lineno) - node.lineno + 1))
        case ast.ExceptHandler(type=ast.Name(id=error)):
            has_raise = any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
            facts.handlers.append(Handler(error, node.lineno, has_raise))
        case ast.Attribute(value=ast.Name(id="os"), attr=name) if name in READERS:
            facts.environment_reads.append(node.lineno)
        case ast.ImportFrom(module="os", names=names) if READERS & {alias.name for alias in names}:
            facts.environment_reads.append(node.lineno)
        case _:
            pass
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        docstring = ast.get_docstring(node)
        if docstring:
            facts.docstrings.append((getattr(node, "lineno", 1), docstring))
