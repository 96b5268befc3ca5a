"""Read a query: language, terms, references, synonyms and its vector."""
