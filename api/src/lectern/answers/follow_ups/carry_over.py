"""Complete a follow-up question with words of the question before it (pure). No language model is involved.

A fragment takes the place of its like: "What is the fee in London?" and "And in Rome?" give "What is the fee in Rome?".
Other follow-ups keep their words, and the subjects of the questions before follow in brackets. The words and
prepositions of each language are in `data/follow_ups.toml`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from lectern.answers.follow_ups.grammar import Grammar, grammar_of
from lectern.answers.follow_ups.threads import AskedQuestion
from lectern.answers.questions import Question, kind_match, list_words
from lectern.answers.text_analysis import content_words, identifiers
from lectern.search.query.question import fold, parse_names, parse_years

_MAX_WORDS: Final = 5
"""A question with more content words stands alone, unless "it" is among the first."""
_MAX_WORDS_OF_A_FRAGMENT: Final = 2
_MAX_NOUNS_OF_A_FRAGMENT: Final = 1  # in a language whose nouns look like names
_MAX_WORDS_BEFORE_ANAPHOR: Final = 1
"""After more content words, "it" means one of them: "Does the bank write before it closes an account?"."""
_MIN_TOKENS_WITH_HEAD: Final = 2
_MAX_PHRASES: Final = 4
"""More phrases of the questions before would outweigh the follow-up's own words."""
_TOKEN: Final = re.compile(r"[^\W_]+(?:[-.,:/&][^\W_]+)*%?|[’']s\b")
_WITH_CONTEXT: Final = re.compile(r"(?P<question>.*)\? \((?P<context>[^()]*)\)", re.DOTALL)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s")
_END: Final = re.compile(r"[\s?!.…]+$")


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question taken apart: the word it begins with, if that joins it to another, and the rest."""

    grammar: Grammar
    text: str
    connector: str = ""

    @property
    def is_question(self) -> bool:
        """True if it has its own question word."""
        return self.grammar.question_word.match(self.text) is not None

    @property
    def is_phrase(self) -> bool:
        """True if it begins with a preposition and is no question: "in Rome"."""
        return self.grammar.preposition.match(self.text) is not None and not self.is_question


def parse_follow_up(question: str, language: str | None) -> FollowUp:
    """Take the connectors off the beginning: "And what about trains?" is about "trains"."""
    grammar = grammar_of(language)
    text, connector = _bare(question), ""
    while match := grammar.connector.match(text):
        text, connector = text[match.end() :], connector or match["word"]
    return FollowUp(grammar, text, connector)


def is_elliptic(question: str, language: str | None) -> bool:
    """Return True if a question cannot be understood without the one before it. The language is that of both."""
    follow_up = parse_follow_up(question, language)
    if not _TOKEN.search(follow_up.text):
        return False
    grammar, words = follow_up.grammar, content_words(follow_up.text)
    text = grammar.expletive.sub(" ", follow_up.text)
    anaphor = grammar.anaphor.search(text)
    if anaphor and len(content_words(text[: anaphor.start()])) <= _MAX_WORDS_BEFORE_ANAPHOR:
        return True
    if len(words) > _MAX_WORDS:
        return False
    if follow_up.connector or anaphor or follow_up.is_phrase:
        return True
    if parse_names(follow_up.text):
        return grammar.has_capital_nouns and len(words) <= _MAX_NOUNS_OF_A_FRAGMENT
    return len(words) <= _MAX_WORDS_OF_A_FRAGMENT


def complete(question: str, previous: str, *, answer: str = "", language: str | None) -> str:
    """Return a follow-up as a question that stands alone. `language` is that of the conversation.

    `previous` is the question before it, perhaps completed itself, and `answer` is its answer.
    """
    follow_up, earlier = parse_follow_up(question, language), _bare(previous)
    grammar, carried = follow_up.grammar, list[str]()
    if match := _WITH_CONTEXT.fullmatch(earlier):
        earlier, carried = match["question"], match["context"].split("; ")
    text, is_joined = follow_up.text, bool(follow_up.connector) and not follow_up.is_question
    if is_joined or follow_up.is_phrase:
        replaced = _replace_phrase(text, earlier, grammar) or _replace_head(text, earlier, grammar)
        if replaced or is_joined:
            joined = f"{earlier}, {grammar.joiner} {_uncapitalize(text, grammar)}"
            return _with_context(replaced or joined, carried, grammar)
    named = _named_phrases(answer, grammar)[:1] if grammar.anaphor.search(text) else []
    return _with_context(text, [*[*noun_phrases(earlier, grammar), *carried][:_MAX_PHRASES], *named], grammar)


def _bare(question: str) -> str:
    """Return a question without the marks around it."""
    return _END.sub("", question.strip().lstrip("¿¡"))


def _uncapitalize(text: str, grammar: Grammar) -> str:
    """Begin with a small letter, unless the first word may be a name."""
    first = _TOKEN.match(text)
    return text if first is None or _is_content(first[0], grammar) else f"{text[:1].lower()}{text[1:]}"


def _with_context(text: str, phrases: Iterable[str], grammar: Grammar) -> str:
    """Put the phrases that say something new behind the question, in brackets."""
    known, new = set(content_words(text)), list[str]()
    for phrase in phrases:
        words = content_words(phrase)
        if not known.issuperset(words):
            new.append(phrase)
            known.update(words)
    context = f" ({'; '.join(new)})" if new else ""
    return f"{grammar.opening_mark}{text[:1].upper()}{text[1:]}?{context}"


def _named_phrases(answer: str, grammar: Grammar) -> list[str]:
    """Return the noun phrases of the first sentence that have a name."""
    sentence = _SENTENCE_END.split(answer, maxsplit=1)[0]
    names = parse_names(sentence)
    return [phrase for phrase in noun_phrases(sentence, grammar) if not names.isdisjoint(map(fold, phrase.split()))]


def _replace_phrase(text: str, earlier: str, grammar: Grammar) -> str | None:
    """Replace the phrase that begins with the same preposition and holds the same kind of thing, or add one."""
    if (years := parse_years(text)) and not content_words(text) and len(parse_years(earlier)) == 1:
        (old,) = parse_years(earlier)
        return earlier.replace(old, max(years)) if old in earlier else None
    group = next((one for one in grammar.prepositions if one.match(text)), None)
    if group is None:
        return None
    alike = [span for span in _phrases(earlier, group, grammar) if _kind(earlier[span[0] : span[1]]) == _kind(text)]
    if not alike:
        return f"{earlier} {text}"
    start, end = alike[-1]
    return f"{earlier[:start]}{text}{earlier[end:]}"


def _phrases(text: str, group: re.Pattern[str], grammar: Grammar) -> list[tuple[int, int]]:
    """Return where the phrases stand that begin with one of these prepositions."""
    spans: list[tuple[int, int]] = []
    for match in group.finditer(text):
        following = grammar.preposition.search(text, match.end())
        end = following.start() if following else len(text)
        spans.append((match.start(), match.start() + len(text[match.start() : end].rstrip(" ,;"))))
    return spans


def _kind(phrase: str) -> tuple[bool, bool]:
    return bool(identifiers(phrase)), bool(parse_names(phrase))


def _replace_head(text: str, earlier: str, grammar: Grammar) -> str | None:
    """Replace the phrase with the same last word: "the Red team" and "And the Blue team?"."""
    mine, theirs = list(_TOKEN.finditer(text)), list(_TOKEN.finditer(earlier))
    if len(mine) < _MIN_TOKENS_WITH_HEAD or not (head := content_words(mine[-1][0])):
        return None
    at = next((index for index, token in enumerate(theirs) if content_words(token[0]) == head), None)
    if at is None:
        return None
    first = at
    while (
        first
        and _is_content(theirs[first - 1][0], grammar)
        and earlier[theirs[first - 1].end() : theirs[first].start()] == " "
    ):
        first -= 1
    new = next((token.start() for token in mine if _is_content(token[0], grammar)), 0)
    return f"{earlier[: theirs[first].start()]}{text[new:]}{earlier[theirs[at].end() :]}" if first < at else None


def noun_phrases(text: str, grammar: Grammar) -> list[str]:
    """Return the runs of content words, held together by words such as "of". A phrase in German has a capital."""
    phrases: list[str] = []
    start = end = before = -1
    for token in _TOKEN.finditer(text):
        is_content = _is_content(token[0], grammar)
        is_link = token[0].casefold() in grammar.links
        if start >= 0 and (text[before : token.start()].strip() or not (is_content or is_link)):
            phrases.append(text[start:end])
            start = -1
        if is_content:
            start, end = (token.start() if start < 0 else start), token.end()
        before = token.end()
    if start >= 0:
        phrases.append(text[start:end])
    return [phrase for phrase in phrases if phrase != phrase.lower()] if grammar.has_capital_nouns else phrases


def _is_content(token: str, grammar: Grammar) -> bool:
    return bool(content_words(token) or identifiers(token)) and not grammar.preposition.fullmatch(token)


def repeats_last_answer(asked: AskedQuestion, question: Question, sentences: Sequence[str]) -> bool:
    """Return True if a follow-up gets the sentences of the answer before it, and they have none of its own words.

    A follow-up without such words is a question word. Then the sentences must have the kind of answer it asks for.
    """
    if asked.rewritten_question is None:
        return False
    text = parse_follow_up(asked.original, question.language).text
    own = {*content_words(text), *identifiers(text)}

    def is_answer(sentence: str) -> bool:
        if own:
            return not own.isdisjoint([*list_words(sentence, question), *identifiers(sentence)])
        return kind_match(question.kind, sentence, question=question.text, words=question.words) == 1

    last = asked.thread.turns[-1].answer
    return all(sentence in last and not is_answer(sentence) for sentence in sentences)
