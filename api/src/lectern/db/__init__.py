"""The database: engine, sessions with their scope, functions, revisions and the base of all models."""
