"""Measure how often a follow-up question finds the page with its answer, rewritten from its thread and unchanged.

    python benchmarks/follow_ups.py FILE... --url http://127.0.0.1:8000 --key lk_...

Each thread is asked anew. Then the follow-up question is asked with and without the thread. A page counts among the
first five passages. The key needs the toolset `answers`, and the library the sample documents.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx

FIRST = 5


def ask(client: httpx.Client, question: str, thread_id: str | None = None, *, save: bool = True) -> dict[str, Any]:
    """Ask a question and return the events of the answer by name."""
    thread = {"thread_id": thread_id} if thread_id else {}
    body = {"question": question, "stream": True, "save": save, **thread}
    text = client.post("/api/v1/answers", json=body).raise_for_status().text
    events = [event.split("\ndata: ", 1) for event in text.strip().split("\n\n")]
    return {name.removeprefix("event: "): json.loads(data) for name, data in events}


def is_found(events: dict[str, Any], row: dict[str, Any]) -> bool:
    """Return True if the first passages cover a page of the evidence."""
    return any(
        source["document"] == row["document"]
        and any(source["page_number"] <= page <= source["last_page_number"] for page in row["pages"])
        for source in events["retrieval"]["sources"][:FIRST]
    )


def measure(client: httpx.Client, rows: Sequence[dict[str, Any]]) -> None:
    """Print a line for each question, and for each kind of question and language."""
    results: dict[tuple[str, str], list[tuple[bool, bool, bool]]] = {}
    for row in rows:
        thread_id: str | None = None
        for earlier in row["thread"]:
            thread_id = ask(client, earlier, thread_id)["end"]["data"]["thread_id"]
        with_thread = ask(client, row["question"], thread_id, save=False)
        without_thread = ask(client, row["question"], save=False)
        rewritten = with_thread["end"]["data"]["rewritten_question"]
        is_labelled = row["type"] == "follow-up"
        found = is_labelled and is_found(with_thread, row), is_labelled and is_found(without_thread, row)
        results.setdefault((row["type"], row["language"]), []).append((*found, rewritten is not None))
        marks = f"{'rewritten' if found[0] else '-':10} {'unchanged' if found[1] else '-':10}"
        print(f"{row['id']:8} {marks} {rewritten or '='}")
        client.delete(f"/api/v1/threads/{thread_id}").raise_for_status()
    for (kind, language), group in sorted(results.items()):
        with_thread, without_thread, rewritten = (sum(column) for column in zip(*group, strict=True))
        found = f"found rewritten {with_thread}, unchanged {without_thread}"
        print(f"{kind} {language}: {len(group)}; {found}; rewritten {rewritten}")


def main() -> None:
    """Measure the questions of each file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--key", required=True)
    options = parser.parse_args()
    headers = {"Authorization": f"Bearer {options.key}"}
    with httpx.Client(base_url=options.url, headers=headers, timeout=120) as client:
        for file in options.files:
            print(file.name)
            measure(client, [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()])


if __name__ == "__main__":
    main()
