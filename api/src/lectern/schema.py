"""Register the models of every room, so that SQLAlchemy can resolve links between tables.

This module stands above the rooms because it imports all of them. Tests compare its metadata with the database.
Tables that only SQL reads and writes have no model.
"""

import lectern.accounts.models
import lectern.answers.golden.models
import lectern.answers.history.models
import lectern.collections.models
import lectern.documents.grants.models
import lectern.documents.models
import lectern.documents.notes.models
import lectern.embeddings.models
import lectern.jobs.models
import lectern.library.folders.models
import lectern.tags.models
import lectern.webhooks.models
from lectern.db.base import Base

MODEL_MODULES = (
    lectern.accounts.models,
    lectern.answers.golden.models,
    lectern.answers.history.models,
    lectern.collections.models,
    lectern.documents.models,
    lectern.documents.grants.models,
    lectern.documents.notes.models,
    lectern.embeddings.models,
    lectern.jobs.models,
    lectern.library.folders.models,
    lectern.tags.models,
    lectern.webhooks.models,
)
metadata = Base.metadata
