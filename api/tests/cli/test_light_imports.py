"""Processes load what they need, and compute in one thread."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.running import clean_environment

HEAVY = ("alembic", "fastapi", "numpy", "obstore", "onnxruntime", "sqlalchemy", "tokenizers")


def test_the_supervisor_loads_no_library_of_the_services() -> None:
    code = f"import sys, lectern.cli.services.up; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc: counts threads")
def test_a_command_multiplies_matrices_in_its_own_thread() -> None:
    code = (
        "import os, sys, lectern.cli.main as main; sys.argv = ['lectern', 'settings']\n"
        "try: main.run()\n"
        "except SystemExit: import numpy; print(os.listdir('/proc/self/task'), os.getpid(), file=sys.stderr)"
    )
    own = {name: value for name, value in clean_environment().items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", code], env=own, capture_output=True, text=True, check=True)

    threads, _, process = done.stderr.strip().rpartition(" ")
    assert threads == f"['{process}']"
