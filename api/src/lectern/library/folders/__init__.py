"""Watched folders: collections bound to a directory."""
