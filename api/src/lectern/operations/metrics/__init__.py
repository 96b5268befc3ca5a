"""Metrics of the whole installation, read from the database."""
