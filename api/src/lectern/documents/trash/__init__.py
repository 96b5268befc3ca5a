"""Removing documents for good."""
