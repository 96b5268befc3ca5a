"""Lectern: a self-hosted knowledge base that AI agents can trust."""

__version__ = "0.1.0"
