import signal
import sys

# As process 1 of a container, Linux ignores SIGTERM until it is handled, and the imports take a while.
signal.signal(signal.SIGTERM, lambda _, __: sys.exit(128 + signal.SIGTERM))

from lectern_mcp.main import run  # noqa: E402 - after the handler

run()
