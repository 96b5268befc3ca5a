"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

DataDir = Annotated[Path | None, typer.Option("--data-dir", help="Data folder of the installation.")]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, for scripts.")]
