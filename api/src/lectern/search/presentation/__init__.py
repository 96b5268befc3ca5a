"""Turn ranked chunks into the response."""
