"""One module for each file format, listed in `registry.EXTRACTORS`."""
