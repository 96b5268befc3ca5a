"""Chunks, pages, outline, text, original and copies of a document."""
