"""Ask the questions of labelled sets about invented names, which no document has, and count the answers.

    python benchmarks/unknown_names.py SET... [--seed N] [--cache DIR]

Each name of an answerable question is replaced by an invented one. All sets are in one library, and there is no chat
endpoint. Prints each question that is answered, then the number of questions and of answers.
"""

import asyncio
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import corpora
from throwaway import ThrowawayDatabase, fresh_library

from lectern.answers.extractive.answer import extract_answer
from lectern.answers.questions import parse_question
from lectern.answers.retrieval import retrieve
from lectern.answers.schemas import AnswerRequest
from lectern.db.scope import SYSTEM_SCOPE
from lectern.embeddings.cache import CachedQueries
from lectern.evaluation.sets import read_set
from lectern.search.query.question import fold
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings

_INVENTED: Final = ("Abrevin", "Bostonelli", "Crandish", "Dovrik", "Elmarac", "Gressola", "Havenquist", "Istrola")
_WORD: Final = re.compile(r"\w(?:[\w&’'-]*\w)?")


def rename(text: str, names: Iterable[str], *, seed: int) -> str:
    """Replace the folded names in a text by invented ones."""
    generator = random.Random(f"{seed} {text}")
    invented = {name: generator.choice(_INVENTED) for name in sorted(names)}

    def replace(match: re.Match[str]) -> str:
        word = match[0].removesuffix("'s").removesuffix("’s")
        return invented.get(fold(word), word) + match[0][len(word) :]

    return _WORD.sub(replace, text)


def rename_questions(folders: Sequence[Path], engine: SearchEngine, *, seed: int) -> Iterator[str]:
    """Yield the answerable questions that have a name, with invented names."""
    for question in (one for folder in folders for one in read_set(folder) if one.is_answerable and one.documents):
        names = parse_question(engine.analyze(question.text)).names
        if names:
            yield rename(question.text, names, seed=seed)


async def measure(folders: Sequence[Path], address: ThrowawayDatabase, *, cache: Path, seed: int) -> None:
    """Fill a library with the sets, ask, and print what is answered."""
    async with corpora.connect(address, cache, threads=2) as (database, provider):
        files = await asyncio.to_thread(corpora.chunk_sets, folders, cache)
        await corpora.fill(database, files, address, provider=provider, cache=cache)
        engine = SearchEngine(database, CachedQueries(provider), SearchSettings())
        asked = answered = 0
        for text in rename_questions(folders, engine, seed=seed):
            question = parse_question(engine.analyze(text))
            found = await retrieve(AnswerRequest(question=text[:4000]), question, engine=engine, scope=SYSTEM_SCOPE)
            draft = await extract_answer(question, found, engine=engine, scope=SYSTEM_SCOPE)
            asked += 1
            answered += bool(draft.sentences)
            if draft.sentences:
                print(f"{text}\n    {draft.sentences[0].text}", flush=True)
        print(f"{answered} of {asked} questions are answered")


def main() -> None:
    """Run the command of the arguments."""
    parser = corpora.make_parser(__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=1, help="another number gives other names")
    arguments = parser.parse_args()
    with fresh_library() as address:
        asyncio.run(measure(arguments.sets, address, cache=arguments.cache, seed=arguments.seed))


if __name__ == "__main__":
    main()
