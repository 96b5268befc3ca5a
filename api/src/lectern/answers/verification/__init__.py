"""Checks of generated sentences against the chunks they cite."""
