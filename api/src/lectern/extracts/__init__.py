"""Reading files that are not in the library: fetched or handed over, read, cut, ranked, and forgotten."""
