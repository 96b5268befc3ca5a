"""Count pages, characters and lines against the limits while a file is read."""

from pathlib import Path

from lectern.extraction.errors import FileTooLarge
from lectern.extraction.types import ExtractionLimits

_SPLIT = "Split it into smaller files."


class Budget:
    """Raise `FileTooLarge` before a file grows past its limits."""

    def __init__(self, limits: ExtractionLimits) -> None:
        self._limits = limits
        self._characters = 0
        self._lines = 0

    def check_file(self, path: Path, *, bytes_per_character: int) -> None:
        """Raise `FileTooLarge` for a file that cannot fit in any encoding."""
        size = path.stat().st_size
        if size > self._limits.max_characters * bytes_per_character:
            raise FileTooLarge(
                f"The file has {size:,} bytes, too many for {self._limits.max_characters:,} characters.",
                hint="Split it into smaller files.",
                details={"size_bytes": size, "max_characters": self._limits.max_characters},
            )

    def check_page_count(self, page_count: int) -> None:
        """Raise `FileTooLarge` when the file has more pages than allowed."""
        if page_count > self._limits.max_pages:
            raise FileTooLarge(
                f"The file has {page_count:,} pages; the limit is {self._limits.max_pages:,}.",
                hint="Split it into smaller files.",
                details={"page_count": page_count, "max_pages": self._limits.max_pages},
            )

    def check_page(self, page_number: int, characters: int) -> None:
        """Raise `FileTooLarge` when one page has more characters than a page may have."""
        if characters > self._limits.max_page_characters:
            raise FileTooLarge(
                f"Page {page_number} has {characters:,} characters; the limit is {self._limits.max_page_characters:,}.",
                hint="Split the page.",
                details={
                    "page_number": page_number,
                    "characters": characters,
                    "max_page_characters": self._limits.max_page_characters,
                },
            )

    def spend(self, characters: int, *, lines: int) -> None:
        """Count characters and lines of the whole file; raise `FileTooLarge` past a limit."""
        self._characters += characters
        self._lines += lines
        if self._lines > self._limits.max_lines:
            max_lines = self._limits.max_lines
            message = f"The file has more than {max_lines:,} lines."
            raise FileTooLarge(message, hint=_SPLIT, details={"max_lines": max_lines})
        if self._characters > self._limits.max_characters:
            raise FileTooLarge(
                f"The file has more than {self._limits.max_characters:,} characters.",
                hint="Split it into smaller files.",
                details={"max_characters": self._limits.max_characters},
            )
