"""Verification of quotations."""
