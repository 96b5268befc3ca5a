"""Parameters of the audit log."""

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, StringConstraints

from lectern.http.schemas import RequestModel

ExportFormat = Literal["jsonl", "csv"]
Text = Annotated[str, StringConstraints(max_length=300)]


class AuditFilter(RequestModel):
    """Conditions that audit events must all meet."""

    actor: Text | None = Field(default=None, description="`user:<id>`, `key:<id>`, `system` or `anonymous`.")
    action: Text | None = Field(default=None, description="Such as `document.upload`.")
    target: Text | None = Field(default=None, description="Such as `document:<id>`.")
    since: AwareDatetime | None = Field(default=None, description="Only events at this time or later.")
    until: AwareDatetime | None = Field(default=None, description="Only events before this time.")
