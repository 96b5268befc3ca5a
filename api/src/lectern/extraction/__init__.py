"""Read files: bytes to pages with lines and word boxes. No web, no database."""
