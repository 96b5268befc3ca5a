"""Files that take long to ingest."""

from random import Random

LETTERS = "abcdefgilmnoprstuvz"


def sentence(random: Random) -> str:
    words = ["".join(random.choices(LETTERS, k=random.randint(3, 9))) for _ in range(12)]
    return " ".join(words).capitalize() + "."


def long_text(*, paragraphs: int, seed: int = 1) -> bytes:
    """Return Markdown with a heading every tenth paragraph and unique paragraphs."""
    random = Random(seed)
    parts: list[str] = []
    for number in range(paragraphs):
        if number % 10 == 0:
            parts.append(f"# {sentence(random)[:40]}")
        parts.append(" ".join(sentence(random) for _ in range(5)))
    return "\n\n".join(parts).encode()
