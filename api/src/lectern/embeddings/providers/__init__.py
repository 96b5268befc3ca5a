"""Embedding providers, one file each; `registry.py` creates them."""
