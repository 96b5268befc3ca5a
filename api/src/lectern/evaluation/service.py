"""What other settings or embeddings would do to the golden queries, before anybody applies them."""

from typing import Final

from lectern.accounts.principals import Principal
from lectern.answers.golden.service import store_ranks
from lectern.db.scope import SYSTEM_SCOPE
from lectern.embeddings import service as embeddings
from lectern.embeddings.active import get_model, list_fingerprints
from lectern.evaluation.comparison import Change, Comparison, compare
from lectern.evaluation.golden import as_questions, golden_places, golden_questions, ranks_of_places
from lectern.evaluation.results import Measure, Run
from lectern.evaluation.runner import Evaluation
from lectern.evaluation.schemas import (
    MovedQuestion,
    PreviewRequest,
    PreviewResponse,
    RunResponse,
    SearchSettingResponse,
    SearchSettingsResponse,
)
from lectern.evaluation.search_settings import changed, check_names, variables_by_name
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings

# As many as are asked twice in the time that a person waits.
MAX_QUESTIONS: Final = 200


def list_settings(settings: SearchSettings) -> SearchSettingsResponse:
    """Return the search settings that have an environment variable, with their values."""
    fields = SearchSettings.model_fields
    return SearchSettingsResponse(
        items=[
            SearchSettingResponse(
                name=name,
                value=getattr(settings, name),
                default=fields[name].default,
                description=fields[name].description or "",
                environment_variable=variable,
            )
            for name, variable in variables_by_name().items()
        ]
    )


async def run(engine: SearchEngine, principal: Principal) -> RunResponse:
    """The golden queries in scope, asked once; what was found is kept where all of the library was searched.

    Raises:
        TooFewGoldenQueries: There are none to ask.
    """
    scope = principal.scope
    async with engine.database.session(scope) as session:
        places = await golden_places(session)
    asked = await Evaluation(engine=engine, scope=scope).run(as_questions(places)[:MAX_QUESTIONS])
    if scope.is_unrestricted:
        async with engine.database.session(scope) as session:
            await store_ranks(session, ranks_of_places(places, asked))
    found = [result for result in asked.questions if result.first_rank is not None]
    return RunResponse(questions=len(asked.questions), found=len(found), measures=_measures(asked))


async def preview(engine: SearchEngine, principal: Principal, wanted: PreviewRequest) -> PreviewResponse:
    """The golden queries in scope, asked as things are and as they would be.

    Raises:
        UnknownSetting: The search has no such setting, or a value does not fit it.
        GenerationNotFound, ModelNotSet: There are no such embeddings, or their model does not run here.
        TooFewGoldenQueries: There are none to ask.
    """
    variables = variables_by_name()
    check_names(wanted.settings, known=variables)
    settings = changed(engine.settings, wanted.settings)
    other, unembedded = engine.with_settings(settings), 0
    if wanted.embeddings is not None:
        other, unembedded = await _by_embeddings(other, wanted.embeddings)
    async with engine.database.session(principal.scope) as session:
        questions = await golden_questions(session, at_most=MAX_QUESTIONS)
    before, after = [await Evaluation(engine=each, scope=principal.scope).run(questions) for each in (engine, other)]
    moved = compare(before, after)
    return PreviewResponse(
        questions=len(questions),
        before=_measures(before),
        after=_measures(after),
        improved=_moved(moved.improved, after),
        regressed=_moved(moved.regressed, after),
        unchanged=len(moved.unchanged),
        environment={variables[name]: str(getattr(settings, name)) for name in wanted.settings},
        message=_message(moved, unembedded=unembedded),
    )


async def _by_embeddings(engine: SearchEngine, generation_id: int) -> tuple[SearchEngine, int]:
    """Searching by these embeddings, and how many documents have none of them yet."""
    async with engine.database.session(SYSTEM_SCOPE) as session:
        fingerprints = list_fingerprints(engine.provider)
        generation = await embeddings.get_usable_generation(session, generation_id, fingerprints=fingerprints)
        unembedded = await embeddings.count_unembedded_documents(session, generation)
    return engine.by(get_model(engine.provider, generation.fingerprint)), unembedded


def _measures(run: Run) -> dict[str, Measure]:
    return next(dict(summary.measures) for summary in run.summaries if summary.group == "all")


def _moved(changes: list[Change], run: Run) -> list[MovedQuestion]:
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


def _message(moved: Comparison, *, unembedded: int) -> str:
    counts = f"{moved.counts}. Nothing is applied."
    few = len(moved.improved) + len(moved.regressed) + len(moved.unchanged) < 20  # noqa: PLR2004 (the guide's own beginning)
    missing = f" {unembedded} documents have no such embeddings yet, and were found by keyword only."
    little = " With fewer than 20 golden queries this says little."
    return counts + (missing if unembedded else "") + (little if few else "")
