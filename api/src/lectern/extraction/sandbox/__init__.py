"""Confined child processes that parse untrusted files."""
