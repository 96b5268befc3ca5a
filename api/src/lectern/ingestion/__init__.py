"""The pipeline from an uploaded file to a searchable document: extract, chunk, index, embed."""
