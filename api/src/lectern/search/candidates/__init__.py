"""Choose how the two arms find candidates, and build their SQL."""
