"""Passages read beside the query by a second model, which orders them anew. Optional, off by default."""
