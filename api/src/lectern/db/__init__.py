"""The database: engine, sessions with their scope, and the base of all models."""
