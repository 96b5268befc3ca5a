"""Every model, so that Alembic can compare them with the database."""

import lectern.accounts.models
import lectern.answers.golden.models
import lectern.answers.history.models
import lectern.collections.models
import lectern.documents.models
import lectern.embeddings.models
import lectern.jobs.models
import lectern.library.folders.models
import lectern.tags.models
from lectern.db.base import Base

metadata = Base.metadata
MODEL_ROOMS = (
    lectern.accounts.models,
    lectern.answers.golden.models,
    lectern.answers.history.models,
    lectern.collections.models,
    lectern.documents.models,
    lectern.embeddings.models,
    lectern.library.folders.models,
    lectern.jobs.models,
    lectern.tags.models,
)
