"""Rerank with a cross-encoder, local or behind HTTP. Optional, off by default."""
