"""Text recognition of pages without text."""
