"""Fuse the arms and measure confidence."""
