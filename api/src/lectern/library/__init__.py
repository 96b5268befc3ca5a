"""Watched folders, backup and export."""
