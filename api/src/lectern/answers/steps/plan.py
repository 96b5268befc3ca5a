"""Plans of the model: searches, and an expression over their figures (pure)."""

import json
import re
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from lectern.answers.generation.prompt import Prompt, object_schema, visible
from lectern.answers.steps.expression import MAX_CHARACTERS, Expression, parse_expression, references
from lectern.answers.steps.refusals import CalculationRefused
from lectern.errors import describe_invalid
from lectern.search.schemas import QueryText

MAX_SEARCHES: Final = 6
SEARCH_IDS: Final = tuple(f"q{number}" for number in range(1, MAX_SEARCHES + 1))

_RULES: Final = """\
You plan how a question is answered from a library of documents. You do not answer it.

- Write the searches that it needs, at most {most}, each with an id: q1, q2 and so on. A search is a short question for
  one fact or one figure of one company, person or thing in one period. Write its name and its period out.
- If the question asks for a number that has to be calculated, or compares numbers, give an expression over the ids.
  It may use + - * / and the functions sum, average, min, max, difference(a, b) for a - b, ratio(a, b) for a / b,
  percent_of(part, whole), percent_change(earlier, later) and compare(a, b). Numbers only if the question has them.
- If nothing has to be calculated, the expression is null.
- Answer with one JSON object, in the language of the question. An example, with words of the question for <...>:
  {{"searches": [{{"id": "q1", "query": "<figure> of <name> in <earlier year>"}},
  {{"id": "q2", "query": "<figure> of <name> in <later year>"}}], "expression": "percent_change(q1, q2)"}}
"""
_PLACEHOLDER: Final = re.compile(r"<(?:figure|name|\w+ year)>")
_BAD_PLAN: Final = "The plan before was refused: {reason} Write another one."


class PlannedSearch(BaseModel):
    """A search of a plan."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    id: Annotated[str, StringConstraints(pattern=r"^q[1-6]$")]
    query: QueryText


class StepPlan(BaseModel):
    """Searches, and the calculation with the figure of each."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    searches: list[PlannedSearch]
    expression: Annotated[str, StringConstraints(max_length=MAX_CHARACTERS)] | None = None

    @model_validator(mode="after")
    def _check(self) -> "StepPlan":
        ids = [search.id for search in self.searches]
        if not 1 <= len(ids) <= MAX_SEARCHES:
            raise PydanticCustomError("searches", "A plan has 1 to {most} searches.", {"most": MAX_SEARCHES})
        if len(set(ids)) < len(ids):
            raise PydanticCustomError("ids", "Two searches have the same id.")
        if any(_PLACEHOLDER.search(search.query) for search in self.searches):
            raise PydanticCustomError("placeholder", "A search has a placeholder of the example.")
        parsed = self.parse()
        if parsed and not references(parsed):
            raise PydanticCustomError("constant", "The expression names no search.")
        unknown = sorted(set(references(parsed)) - set(ids)) if parsed else []
        if unknown:
            raise PydanticCustomError(
                "names", "The expression names {names}, which no search has.", {"names": ", ".join(unknown)}
            )
        return self

    def parse(self) -> Expression | None:
        """Return the expression as a tree, or None without one."""
        if self.expression is None or not self.expression.strip():
            return None
        try:
            return parse_expression(self.expression)
        except CalculationRefused as error:
            raise PydanticCustomError(
                "expression", "The expression cannot be read. {why}", {"why": error.detail}
            ) from None


class UnusablePlan(Exception):
    """The model's plan is not valid. The message says why."""


def read_plan(text: str) -> StepPlan:
    """Read a plan from the model's JSON. Raises UnusablePlan."""
    try:
        return StepPlan.model_validate(first_object(text))
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = ".".join(map(str, problem["loc"]))
        _, reason = describe_invalid(problem)
        raise UnusablePlan(f"{place}: {reason}" if place else reason) from None
    except ValueError:
        raise UnusablePlan("It is no JSON object.") from None


def first_object(text: str) -> Any:  # noqa: ANN401 - JSON
    """Return the first JSON object in a text. Raises ValueError."""
    value, _ = json.JSONDecoder().raw_decode(text, text.index("{"))
    return value


def make_plan_prompt(question: str, *, refused: str | None = None) -> Prompt:
    """Make the prompt for a plan. `refused` is the reason against an earlier one."""
    asked = [f"Question: {visible(question)}", *([_BAD_PLAN.format(reason=refused)] if refused else [])]
    rules = _RULES.format(most=MAX_SEARCHES)
    messages = [{"role": "system", "content": rules}, {"role": "user", "content": "\n\n".join(asked)}]
    return Prompt(messages=messages, schema=_schema(), labels={})


def _schema() -> dict[str, Any]:
    search = object_schema(id={"type": "string", "enum": list(SEARCH_IDS)}, query={"type": "string"})
    searches = {"type": "array", "items": search, "maxItems": MAX_SEARCHES}
    return object_schema(searches=searches, expression={"type": ["string", "null"]})
