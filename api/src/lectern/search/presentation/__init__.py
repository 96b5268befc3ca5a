"""Presentation."""
