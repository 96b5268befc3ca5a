"""Runs of the golden queries, with the current settings or with changed ones."""

from typing import Final, get_args

from lectern.accounts.principals import Principal
from lectern.answers.golden.service import store_ranks
from lectern.db.scope import SYSTEM_SCOPE
from lectern.embeddings import service as embeddings
from lectern.embeddings.active import get_model, list_fingerprints
from lectern.evaluation.comparison import RankChange, RunComparison, compare
from lectern.evaluation.golden import golden_questions, load_golden_queries, ranks_by_golden_query, to_questions
from lectern.evaluation.results import Measure, Run
from lectern.evaluation.runner import SearchEvaluation
from lectern.evaluation.schemas import (
    MovedQuestion,
    PreviewRequest,
    PreviewResponse,
    RunResponse,
    SearchSettingResponse,
    SearchSettingsResponse,
)
from lectern.evaluation.search_settings import check_names, variables_by_name, with_changes
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings

# Two runs of this many take a few seconds.
_MAX_QUESTIONS: Final = 200
_FEW_QUESTIONS: Final = 20


def list_settings(settings: SearchSettings) -> SearchSettingsResponse:
    """Return the search settings that have an environment variable, with their values."""
    fields = SearchSettings.model_fields
    return SearchSettingsResponse(
        items=[
            SearchSettingResponse(
                name=name,
                value=getattr(settings, name),
                default=fields[name].default,
                choices=[*get_args(fields[name].annotation)] or None,
                description=fields[name].description or "",
                environment_variable=variable,
            )
            for name, variable in variables_by_name().items()
        ]
    )


async def run(engine: SearchEngine, principal: Principal) -> RunResponse:
    """Run the golden queries in scope. Stores their ranks if the scope is the whole library.

    Raises:
        TooFewGoldenQueries: There are none.
    """
    scope = principal.scope
    async with engine.database.session(scope) as session:
        queries = await load_golden_queries(session)
    result = await SearchEvaluation(engine=engine, scope=scope).run(to_questions(queries)[:_MAX_QUESTIONS])
    if scope.is_unrestricted:
        async with engine.database.session(scope) as session:
            await store_ranks(session, ranks_by_golden_query(queries, result))
    found = [one for one in result.questions if one.first_rank is not None]
    return RunResponse(questions=len(result.questions), found=len(found), measures=_measures(result))


async def preview(engine: SearchEngine, principal: Principal, request: PreviewRequest) -> PreviewResponse:
    """Run the golden queries in scope before and after the changes.

    Raises:
        UnknownSetting: There is no such search setting, or a value is invalid.
        GenerationNotFound, ModelNotSet: There are no such embeddings, or their model is not configured here.
        TooFewGoldenQueries: There are none.
    """
    variables = variables_by_name()
    check_names(request.settings, known=variables)
    settings = with_changes(engine.settings, request.settings)
    other, unembedded = engine.with_settings(settings), 0
    if request.embeddings is not None:
        other, unembedded = await _by_embeddings(other, request.embeddings)
    async with engine.database.session(principal.scope) as session:
        questions = await golden_questions(session, at_most=_MAX_QUESTIONS)
    before, after = [
        await SearchEvaluation(engine=each, scope=principal.scope).run(questions) for each in (engine, other)
    ]
    comparison = compare(before, after)
    return PreviewResponse(
        questions=len(questions),
        before=_measures(before),
        after=_measures(after),
        improved=_moved_questions(comparison.improved, after),
        regressed=_moved_questions(comparison.regressed, after),
        unchanged=len(comparison.unchanged),
        environment={variables[name]: str(getattr(settings, name)) for name in request.settings},
        message=_message(comparison, unembedded=unembedded),
    )


async def _by_embeddings(engine: SearchEngine, generation_id: int) -> tuple[SearchEngine, int]:
    """Return an engine with these embeddings, and the number of documents without them."""
    async with engine.database.session(SYSTEM_SCOPE) as session:
        fingerprints = list_fingerprints(engine.provider)
        generation = await embeddings.get_usable_generation(session, generation_id, fingerprints=fingerprints)
        unembedded = await embeddings.count_unembedded_documents(session, generation)
    return engine.with_model(get_model(engine.provider, generation.fingerprint)), unembedded


def _measures(run: Run) -> dict[str, Measure]:
    return next(dict(summary.measures) for summary in run.summaries if summary.group == "all")


def _moved_questions(changes: list[RankChange], run: Run) -> list[MovedQuestion]:
    documents = {(result.set_name, result.id): result.documents[0] for result in run.questions}
    return [
        MovedQuestion(
            query=change.question,
            document=documents[change.key],
            rank_before=change.before,
            rank_after=change.after,
        )
        for change in changes
    ]


def _message(comparison: RunComparison, *, unembedded: int) -> str:
    parts = [f"{comparison.counts}. Nothing is applied."]
    if unembedded:
        parts.append(f"{unembedded} documents have no such embeddings yet and were found by keyword only.")
    count = len(comparison.improved) + len(comparison.regressed) + len(comparison.unchanged)
    if count < _FEW_QUESTIONS:
        parts.append(f"With fewer than {_FEW_QUESTIONS} golden queries the result means little.")
    return " ".join(parts)
