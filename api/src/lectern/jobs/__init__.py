"""The job queue: jobs in the caller's transaction, workers, and change notifications."""
