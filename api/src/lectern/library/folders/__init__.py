"""Watched folders: a collection that follows a directory."""
