"""Count pages, characters and lines against the limits while a file is read."""

from pathlib import Path

from lectern.extraction.errors import FileTooLarge
from lectern.extraction.types import ExtractionLimits


class Budget:
    """Raise `FileTooLarge` before a file grows past its limits."""

    def __init__(self, limits: ExtractionLimits) -> None:
        self._limits = limits
        self._characters = 0
        self._lines = 0

    def check_file(self, path: Path, *, bytes_per_character: int = 4) -> None:
        """Check the size of a file against the characters that it can have in any encoding."""
        size, limit = path.stat().st_size, self._limits.max_characters
        if size > limit * bytes_per_character:
            message = f"The file has {size:,} bytes, too many for {limit:,} characters."
            raise _too_large(message, "MAX_CHARACTERS", size_bytes=size, max_characters=limit)

    def check_page_count(self, page_count: int) -> None:
        limit = self._limits.max_pages
        if page_count > limit:
            message = f"The file has {page_count:,} pages; the limit is {limit:,}."
            raise _too_large(message, "MAX_PAGES", page_count=page_count, max_pages=limit)

    def check_page(self, page_number: int, characters: int) -> None:
        limit = self._limits.max_page_characters
        if characters > limit:
            raise FileTooLarge(
                f"Page {page_number} has {characters:,} characters; the limit is {limit:,}.",
                hint="Split the page, or raise LECTERN_EXTRACTION_MAX_PAGE_CHARACTERS.",
                details={"page_number": page_number, "characters": characters, "max_page_characters": limit},
            )

    def spend(self, characters: int, *, lines: int) -> None:
        """Count characters and lines of the whole file, and check them."""
        self._characters += characters
        self._lines += lines
        limits = self._limits
        if self._lines > limits.max_lines:
            message = f"The file has more than {limits.max_lines:,} lines."
            raise FileTooLarge(message, hint="Split it into smaller files.", details={"max_lines": limits.max_lines})
        if self._characters > limits.max_characters:
            message = f"The file has more than {limits.max_characters:,} characters."
            raise _too_large(message, "MAX_CHARACTERS", max_characters=limits.max_characters)


def _too_large(message: str, setting: str, **details: int) -> FileTooLarge:
    hint = f"Split it into smaller files, or raise LECTERN_EXTRACTION_{setting}."
    return FileTooLarge(message, hint=hint, details=details)
