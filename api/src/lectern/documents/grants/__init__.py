"""Grants: documents that are shared with single people, one by one or by a tag."""
