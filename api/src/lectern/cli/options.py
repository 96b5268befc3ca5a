"""Options that several commands share."""

from pathlib import Path
from typing import Annotated, Final

import typer

DataDir = Annotated[Path | None, typer.Option("--data-dir", help="Data folder of the installation.")]
Backups = Annotated[
    Path | None, typer.Option(help="Folder of `lectern backup FOLDER`. Fails if the newest is older than a day.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Baseline = Annotated[Path | None, typer.Option(help="Exit with code 1 if a measure falls below this baseline file.")]
SaveBaseline = Annotated[Path | None, typer.Option(help="Write the measures to a baseline file.")]
Tolerance = Annotated[float, typer.Option(min=0, max=1, help="Tolerated difference to the baseline.")]
DEFAULT_TOLERANCE: Final = 0.02
