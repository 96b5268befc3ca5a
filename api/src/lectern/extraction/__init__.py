"""Bytes to pages with geometry; one file per format, one registry, no web, no database."""
