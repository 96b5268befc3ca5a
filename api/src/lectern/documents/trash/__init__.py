"""Permanent deletion of documents."""
