"""Grants: documents that are shared with single people."""
