"""The sample documents that come with Lectern, for a first look at it."""
