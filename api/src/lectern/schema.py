"""Register the models of every package, so that SQLAlchemy can resolve links between tables.

This module is above these packages because it imports all of them. Tests compare its metadata with the database.
Tables that only SQL reads and writes have no model.
"""

# ruff: noqa: F401 - importing a model registers it
# pyright: reportUnusedImport=false

import lectern.accounts.models
import lectern.answers.models
import lectern.collections.models
import lectern.documents.models
import lectern.embeddings.models
import lectern.jobs.models
import lectern.library.folders.models
import lectern.tags.models
import lectern.webhooks.models
from lectern.db.base import Base

metadata = Base.metadata
