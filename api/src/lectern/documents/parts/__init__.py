"""What a document consists of: its original, pages, chunks, outline, text and places on its pages."""
