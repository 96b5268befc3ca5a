"""One action on many documents."""
