"""Versions of documents: another content under the same id, and the way back."""
