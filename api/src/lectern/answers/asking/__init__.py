"""Questions answered from documents, with citations, or not at all."""
