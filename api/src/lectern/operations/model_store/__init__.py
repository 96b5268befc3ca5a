"""Add, list, verify and remove embedding models and rerankers that run on this machine."""
