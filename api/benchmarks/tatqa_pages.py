"""Make a set of PDF pages and questions from TAT-QA: tables of annual reports with the text around them.

    python benchmarks/tatqa_pages.py tatqa_dataset_dev.json DIR [--browser chromium]

Writes `DIR/pdfs/`, one PDF for each table, and the questions for one place of a page, asked of their document:
`tuning.jsonl` for one half of the documents, `frozen.jsonl` for the other.
Questions for a calculation go to `tuning-calculations.jsonl` and `frozen-calculations.jsonl`.
Add the PDFs to a library and run `./lectern eval answers DIR/tuning.jsonl`.
"""

import argparse
import html
import json
import random
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_SEED = 7


def draw_page(name: str, page: Mapping[str, Any]) -> str:
    """Return a page as HTML: the first paragraph, the table, the other paragraphs."""
    texts = [one["text"] for one in sorted(page["paragraphs"], key=lambda one: one["order"])]
    paragraphs = [f"<p>{html.escape(text)}</p>" for text in texts]
    rows = "".join(f"<tr>{''.join(map(_draw_cell, range(len(row)), row))}</tr>" for row in page["table"]["table"])
    table = f"<table style='border-collapse:collapse'>{rows}</table>"
    body = "".join([*paragraphs[:1], table, *paragraphs[1:]])
    style = "@page{size:A4;margin:2cm}body{font:11pt serif;margin:0}td{padding:2px 12px}"
    return f"<meta charset=utf-8><title>{name}</title><style>{style}</style>{body}"


def _draw_cell(column: int, text: str) -> str:
    side = "right" if column else "left"
    return f"<td style='text-align:{side}'>{html.escape(text)}</td>"


def read_questions(name: str, page: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the questions for one place, and those for a calculation."""
    spans: list[dict[str, Any]] = []
    calculations: list[dict[str, Any]] = []
    for one in page["questions"]:
        is_span = one["answer_type"] == "span" and not one["req_comparison"]
        if is_span or one["answer_type"] == "arithmetic":
            row = {
                "id": f"{name}-{one['order']}",
                "language": "en",
                "type": one["answer_from"],
                "question": one["question"],
                "document": f"{name}.pdf",
                "pages": [1],
                "answer": one["answer"][0] if is_span else str(one["answer"]),
                "scope": "document",
            }
            (spans if is_span else calculations).append(row)
    return spans, calculations


def print_pdf(page: str, path: Path, *, browser: str) -> None:
    """Print HTML to a PDF with a Chromium browser."""
    source = path.with_suffix(".html")
    source.write_text(page, encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--no-pdf-header-footer", f"--print-to-pdf={path}"]
    subprocess.run([browser, *options, str(source)], check=True, capture_output=True)
    source.unlink()


def write_lines(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows as JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def main() -> None:
    """Write the set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--browser", default="chromium")
    arguments = parser.parse_args()
    pages: list[dict[str, Any]] = json.loads(arguments.source.read_text(encoding="utf-8"))
    random.Random(_SEED).shuffle(pages)
    (arguments.folder / "pdfs").mkdir(parents=True, exist_ok=True)
    for half, own in (("tuning", range(len(pages) // 2)), ("frozen", range(len(pages) // 2, len(pages)))):
        asked = [read_questions(f"report-{number:03d}", pages[number]) for number in own]
        write_lines(arguments.folder / f"{half}.jsonl", [row for spans, _ in asked for row in spans])
        write_lines(arguments.folder / f"{half}-calculations.jsonl", [row for _, more in asked for row in more])
    for number, page in enumerate(pages):
        name = f"report-{number:03d}"
        pdf = (arguments.folder / "pdfs" / f"{name}.pdf").absolute()
        print_pdf(draw_page(name, page), pdf, browser=arguments.browser)


if __name__ == "__main__":
    main()
