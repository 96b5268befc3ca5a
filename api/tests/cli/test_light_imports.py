"""`lectern up` lives as long as the installation, so it stays small."""

import subprocess
import sys

HEAVY = ("alembic", "fastapi", "numpy", "obstore", "onnxruntime", "sqlalchemy", "tokenizers")


def test_the_supervisor_loads_no_library_of_the_services() -> None:
    code = f"import sys, lectern.cli.services.up; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
