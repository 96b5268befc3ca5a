"""The text of a comment, the same in every format."""


def format_comment(text: str, *, author: str = "", cell: str = "") -> str:
    """Return a comment in one line, as `[Comment of Ada on B3: Closed in winter.]`."""
    by = f" of {' '.join(author.split())}" if author.strip() else ""
    place = f" on {cell}" if cell else ""
    return f"[Comment{by}{place}: {' '.join(text.split())}]"
