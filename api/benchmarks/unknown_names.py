"""Ask the questions of labelled sets about invented names, which no document has, and count the answers.

    python benchmarks/unknown_names.py SET... [--numbers] [--seed N] [--cache DIR]

Each name of an answerable question is replaced by an invented one, or with `--numbers` the number behind it: Prato 42.
All sets are in one library, and there is no chat endpoint. Prints each question that is answered, then the number of
questions and of answers.
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
from lectern.search.query.question import fold, parse_numbered_names
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


def renumber(text: str, *, seed: int) -> str:
    """Replace the numbers behind names by others with the same number of digits."""
    generator = random.Random(f"{seed} {text}")

    def replace(match: re.Match[str]) -> str:
        digits = [generator.choice("123456789") if one.isdigit() else one for one in match[0]]
        return "".join(digits)

    for name, number in sorted(parse_numbered_names(text)):
        pair = re.compile(rf"(?i:(?<={re.escape(name)} )){re.escape(number)}(?!\w|[.,]\d)")
        text = pair.sub(replace, text)
    return text


def change_questions(
    folders: Sequence[Path], engine: SearchEngine, *, are_numbers_changed: bool, seed: int
) -> Iterator[str]:
    """Yield the answerable questions that have a name, or a number behind one, with invented ones."""
    for question in (one for folder in folders for one in read_set(folder) if one.is_answerable and one.documents):
        names = parse_question(engine.analyze(question.text)).names
        changed = question.text
        if are_numbers_changed:
            changed = renumber(question.text, seed=seed)
        elif names:
            changed = rename(question.text, names, seed=seed)
        if changed != question.text:
            yield changed


async def measure(
    folders: Sequence[Path], address: ThrowawayDatabase, *, cache: Path, are_numbers_changed: bool, seed: int
) -> None:
    """Fill a library with the sets, ask, and print what is answered."""
    async with corpora.connect(address, cache, threads=2) as (database, provider):
        files = await asyncio.to_thread(corpora.chunk_sets, folders, cache)
        await corpora.fill(database, files, address, provider=provider, cache=cache)
        engine = SearchEngine(database, CachedQueries(provider), SearchSettings())
        asked = answered = 0
        for text in change_questions(folders, engine, are_numbers_changed=are_numbers_changed, seed=seed):
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
    parser.add_argument("--numbers", action="store_true", help="replace numbers behind names instead of names")
    parser.add_argument("--seed", type=int, default=1, help="another number gives other names")
    arguments = parser.parse_args()
    with fresh_library() as address:
        options = {"are_numbers_changed": arguments.numbers, "seed": arguments.seed}
        asyncio.run(measure(arguments.sets, address, cache=arguments.cache, **options))


if __name__ == "__main__":
    main()
