"""Jobs: the queue, enqueued with the caller's transaction, and the events that jobs and documents give."""
