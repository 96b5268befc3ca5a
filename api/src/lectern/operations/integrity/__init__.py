"""Consistency checks of an installation and their repairs."""
