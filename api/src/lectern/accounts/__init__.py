"""Users, API keys, permissions and the audit log."""
