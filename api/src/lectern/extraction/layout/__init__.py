"""Words, lines and columns of a page."""
