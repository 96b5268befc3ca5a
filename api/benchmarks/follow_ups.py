"""How often a follow-up question finds the page that answers it, rewritten from its thread and as it is.

    python benchmarks/follow_ups.py FILE... --url http://127.0.0.1:8000 --key lk_...

Asks the questions before each follow-up in a new thread, then the follow-up with and without the thread. A page counts
as found among the first five passages. The key needs the toolset `answers` and a library with the sample documents.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx

FIRST = 5


def ask(client: httpx.Client, question: str, thread_id: str | None = None, *, save: bool = True) -> dict[str, Any]:
    """Return the events `retrieval` and `end` of a question."""
    thread = {"thread_id": thread_id} if thread_id else {}
    body = {"question": question, "stream": True, "save": save, **thread}
    text = client.post("/api/v1/answers", json=body).raise_for_status().text
    events = [event.split("\ndata: ", 1) for event in text.strip().split("\n\n")]
    return {name.removeprefix("event: "): json.loads(data) for name, data in events}


def is_found(events: dict[str, Any], row: dict[str, Any]) -> bool:
    """Return True if a page of the evidence is among the first passages."""
    return any(
        source["document"] == row["document"]
        and any(source["page_number"] <= page <= source["last_page_number"] for page in row["pages"])
        for source in events["retrieval"]["sources"][:FIRST]
    )


def measure(client: httpx.Client, rows: Sequence[dict[str, Any]]) -> None:
    """Print a line for each language and kind of question."""
    results: dict[tuple[str, str], list[tuple[bool, bool, bool]]] = {}
    for row in rows:
        thread_id: str | None = None
        for earlier in row["thread"]:
            thread_id = ask(client, earlier, thread_id)["end"]["data"]["thread_id"]
        rewritten = ask(client, row["question"], thread_id, save=False)
        plain = ask(client, row["question"], save=False)
        changed = rewritten["end"]["data"]["rewritten_question"]
        is_labelled = row["type"] == "follow-up"
        found = is_labelled and is_found(rewritten, row), is_labelled and is_found(plain, row)
        results.setdefault((row["type"], row["language"]), []).append((*found, changed is not None))
        print(f"{row['id']:8} {'rewritten' if found[0] else '-':10} {'plain' if found[1] else '-':6} {changed or '='}")
        client.delete(f"/api/v1/threads/{thread_id}").raise_for_status()
    for (kind, language), group in sorted(results.items()):
        found, plain, changed = (sum(column) for column in zip(*group, strict=True))
        print(f"{kind} {language}: {len(group)}; found rewritten {found}, as it is {plain}; rewritten {changed}")


def main() -> None:
    """Measure each file."""
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
