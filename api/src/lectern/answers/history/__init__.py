"""Saved answers, visible only to the person who asked."""
