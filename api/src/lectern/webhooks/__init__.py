"""Webhooks: signed events of documents, jobs and collections, sent from an outbox in the database."""
