"""Second factors: one-time codes of an authenticator app, and recovery codes."""
