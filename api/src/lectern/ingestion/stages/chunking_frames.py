"""The kinds of frames between the chunking pool and its child, which does not need the imports of the pool."""

from typing import Final

OPTIONS: Final = b"O"
CHUNKED: Final = b"C"
OUT_OF_MEMORY: Final = b"m"
ERROR: Final = b"e"
