"""OAuth 2.1 for MCP clients: registration, consent, tokens and revocation. An access token is an API key."""
