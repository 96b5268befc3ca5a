"""A confined child that starts a process, as text recognition may, and leaves it behind or stays."""

import os
import signal
import sys
from pathlib import Path

from lectern.extraction.sandbox import codec
from lectern.extraction.sandbox.confinement import confine, die_with_parent, take_stdout


def main() -> None:
    """Start a process that ignores signals, and report its number."""
    with take_stdout() as output:
        die_with_parent(os.getppid())
        confine(max_memory_bytes=2**31, max_seconds=20, may_thread=True, program=Path("/usr/bin/true"))
        if (pid := os.fork()) == 0:
            for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
                signal.signal(number, signal.SIG_IGN)
            output.close()
            while True:
                signal.pause()
        output.write(codec.pack_frame(codec.METADATA, pid))
    if sys.argv[1] == "stays":
        signal.pause()


if __name__ == "__main__":
    main()
