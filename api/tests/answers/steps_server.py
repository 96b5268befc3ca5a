"""A scripted model for answers in several steps: a plan, cells and sentences by the schema that is requested."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.answers.chat_server import Said, found, source_of

PROFIT_2023 = "In 2023 the net profit of Quercialta was 41.2 million euro."
PROFIT_2024 = "In 2024 the net profit of Quercialta was 47.9 million euro."


@dataclass
class ScriptedModel:
    """`cells` are quotations by search, each with more fields of a cell. `sentences` cite the result."""

    plans: list[Said]
    cells: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    sentences: list[str] = field(default_factory=list[str])
    asked: list[str] = field(default_factory=list[str])

    def __call__(self, body: dict[str, Any]) -> Said:
        properties = body["response_format"]["json_schema"]["schema"]["properties"]
        if "searches" in properties:
            self.asked.append("plan")
            return self.plans.pop(0)
        if "cells" in properties:
            self.asked.append("cells")
            return {"cells": [self._cell(body, search, fields) for search, fields in self.cells.items()]}
        self.asked.append("draft")
        labels = properties["sentences"]["items"]["properties"]["sources"]["items"]["enum"]
        return found(*[(sentence, [labels[0], *labels[-1:]]) for sentence in self.sentences])

    def _cell(self, body: dict[str, Any], search: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        quote = str(fields["quote"])
        source = fields.get("source") or source_of(body, str(fields.get("place", quote)))
        rest = dict.fromkeys(("label", "unit", "period"), "")
        return {
            **rest,
            **{name: value for name, value in fields.items() if name != "place"},
            "search": search[:2],
            "source": source,
        }


def plan(*queries: str, expression: str | None = None) -> dict[str, Any]:
    """Build a plan with a search for each query."""
    searches = [{"id": f"q{number}", "query": query} for number, query in enumerate(queries, start=1)]
    return {"searches": searches, "expression": expression}


def profit(year: int, **fields: Any) -> dict[str, Any]:
    """Build the cell of a year's profit."""
    quote = PROFIT_2023 if year == 2023 else PROFIT_2024
    value = "41.2 million euro" if year == 2023 else "47.9 million euro"
    return {"quote": quote, "value": value, "label": "net profit of Quercialta", "period": str(year), **fields}
