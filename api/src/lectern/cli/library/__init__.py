"""Commands that work on the documents of the library."""
