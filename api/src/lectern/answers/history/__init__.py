"""Saved answers and their threads, visible only to the person who asked."""
