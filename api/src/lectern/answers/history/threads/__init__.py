"""Threads of saved answers."""
