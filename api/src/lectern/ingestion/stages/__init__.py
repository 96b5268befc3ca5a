"""The stages of an ingestion: extract, chunk, index and embed a document."""
