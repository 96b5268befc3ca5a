"""Documents of a tag or collection in one open file, and into another library, with their vectors."""
