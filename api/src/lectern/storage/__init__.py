"""Originals by content hash, on a local folder or any object store."""
