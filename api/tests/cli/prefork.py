"""Run commands in forks of a process that has imported them. Importing takes longer than most commands.

The server runs as a script. A request is a folder with `request.json` and `stdin`. The command writes `stdout` and
`stderr` there.
"""

import atexit
import importlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

READY = b"ready\n"


def run_forked(
    arguments: tuple[str, ...], *, environment: Mapping[str, str], stdin: str, seconds: float
) -> tuple[int, str, str]:
    """Return the exit code, the output and the errors of a command. Raises TimeoutError."""
    with tempfile.TemporaryDirectory() as scratch, socket.socket(socket.AF_UNIX) as connection:
        folder = Path(scratch)
        request = {"arguments": arguments, "environment": dict(environment), "folder": str(Path.cwd())}
        (folder / "request.json").write_text(json.dumps(request))
        (folder / "stdin").write_text(stdin)
        connection.settimeout(seconds)
        connection.connect(_start_server())
        connection.sendall(scratch.encode())
        with connection.makefile() as lines:
            pid = int(lines.readline())
            try:
                code = int(lines.readline())
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                raise
        return code, (folder / "stdout").read_text(), (folder / "stderr").read_text()


@cache
def _start_server() -> str:
    """Start the server of this test process and return its address."""
    folder = tempfile.TemporaryDirectory(prefix="lectern-prefork-")
    address = str(Path(folder.name) / "socket")
    server = subprocess.Popen([sys.executable, __file__, address], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None
    assert server.stdout is not None
    assert server.stdout.readline() == READY
    server.stdout.close()

    def stop() -> None:
        server.communicate()
        folder.cleanup()

    atexit.register(stop)
    return address


def _serve(address: str) -> None:
    """Return in a fork for each request, with the request's arguments, environment and files in place."""
    with socket.socket(socket.AF_UNIX) as listener, selectors.DefaultSelector() as ready:
        listener.bind(address)
        listener.listen()
        os.write(1, READY)
        ready.register(listener, selectors.EVENT_READ)
        ready.register(0, selectors.EVENT_READ)  # it ends with the test process
        while True:
            if any(key.fd == 0 for key, _ in ready.select()):
                os._exit(0)
            connection, _ = listener.accept()
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            if os.fork() == 0:
                break
            connection.close()
        folder = Path(connection.recv(4096).decode())
        pid = os.fork()
        if pid:
            connection.sendall(f"{pid}\n".encode())
            connection.sendall(f"{os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])}\n".encode())
            os._exit(0)
        connection.close()
    _become(folder)


def _become(folder: Path) -> None:
    request = json.loads((folder / "request.json").read_text())
    for number, (name, flags) in enumerate((("stdin", "rb"), ("stdout", "wb"), ("stderr", "wb"))):
        with (folder / name).open(flags) as file:
            os.dup2(file.fileno(), number)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = ["lectern", *request["arguments"]]


def _end(code: str | int | None) -> None:
    """End as the interpreter does, but free no memory: a fork would copy all of it first, which takes 0.1 s."""
    if isinstance(code, str):
        print(code, file=sys.stderr)
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    from sqlalchemy.orm import configure_mappers

    from lectern.cli.commands import COMMANDS
    from lectern.cli.garbage import loading
    from lectern.cli.main import run
    from lectern.search.query.translation import translate
    from lectern.settings.threads import limit_matrix_threads

    limit_matrix_threads()
    with loading():
        for command in COMMANDS:
            importlib.import_module(f"lectern.cli.{command.module}")
        configure_mappers()  # these two would take 30 ms of each command
        translate("word", None)
    _serve(sys.argv[1])
    try:
        run()
    except SystemExit as ending:
        _end(ending.code)
