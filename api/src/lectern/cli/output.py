"""Standard output of the command line: its encoding, and what happens if it cannot be written."""

import io
import os
import sys
from typing import Final

from lectern.errors import LecternError

HINT: Final = "Free some space there, or send the output to another place."


class _Output(io.FileIO):
    """Standard output. After a failure the rest of the output is dropped, so that the flush at exit cannot fail."""

    # pyright: ignore because typeshed names the parameter for the parser only
    def write(self, data: bytes, /) -> int | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Write bytes. Ends the process if nobody reads them.

        Raises:
            LecternError: They could not be written.
        """
        try:
            return super().write(data)
        except BrokenPipeError:
            self._drop_the_rest()
            raise SystemExit(1) from None
        except OSError as error:
            self._drop_the_rest()
            raise LecternError(f"The output could not be written: {error.strerror}.", hint=HINT) from error

    def _drop_the_rest(self) -> None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)


def prepare_output() -> None:
    """Replace standard output: letters that its encoding does not have are escaped, and failures are readable."""
    output: object = sys.stdout
    if not isinstance(output, io.TextIOWrapper):
        return
    raw = _Output(output.fileno(), "w", closefd=False)
    sys.stdout = io.TextIOWrapper(
        raw if output.write_through else io.BufferedWriter(raw),  # pyright: ignore[reportArgumentType]
        encoding=output.encoding,
        errors="backslashreplace",
        line_buffering=output.line_buffering,
        write_through=output.write_through,
    )


def flush_output() -> None:
    """Write what is still in the buffer of standard output."""
    if sys.stdout:  # None if it was closed before the start
        sys.stdout.flush()
