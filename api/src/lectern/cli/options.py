"""Options that several commands share."""

from pathlib import Path
from typing import Annotated, Final

import typer

DataDir = Annotated[Path | None, typer.Option("--data-dir", help="Data folder of the installation.")]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, for scripts.")]
Baseline = Annotated[Path | None, typer.Option(help="Fail (exit code 1) when a measure is below this file's.")]
SaveBaseline = Annotated[Path | None, typer.Option(help="Write the measures as a baseline.")]
Tolerance = Annotated[float, typer.Option(min=0, max=1, help="How far below is no loss yet.")]
DEFAULT_TOLERANCE: Final = 0.02
