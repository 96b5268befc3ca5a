"""What the command line shows: results on standard output, everything else on standard error."""

import json
from typing import Any

from rich.console import Console
from rich.text import Text

results = Console(highlight=False, soft_wrap=True)
notes = Console(stderr=True, highlight=False, soft_wrap=True)

SERVICE_STYLES = {"lectern": "bold", "api": "cyan", "worker": "green", "mcp": "magenta"}


def show_json(value: Any) -> None:  # noqa: ANN401 - whatever json can write
    """One JSON value on standard output, for scripts."""
    print(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def show_error(message: str, *, hint: str | None) -> None:
    """One line on standard error: why, and what to do."""
    line = f"{message} {hint}" if hint else message
    notes.print(Text.assemble(("lectern: ", "bold red"), " ".join(line.split())))


def show_service_line(service: str, line: str) -> None:
    """A line of a service's log behind its name."""
    notes.print(Text.assemble((f"{service:<7}| ", SERVICE_STYLES.get(service, "")), line))
