"""Makes the sample documents and their manifest: `python test-docs/generate.py [--output FOLDER]`.

Needs reportlab, pillow and pypdfium2 (the development lock has them). The same versions give the same bytes:
dates and ids in the files are fixed, the scanner's noise is seeded.
"""

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path

from generator.build import Built, build_pdf
from generator.catalogue import catalogue_source
from generator.manifest import Sample, build_manifest, page_texts, plain
from generator.markup import Source, read_source
from generator.pages import Mark
from generator.report import report_tables
from generator.scan import scan

HERE = Path(__file__).parent
SOURCES = HERE / "sources"
PROSE = (
    "aml-kyc-policy", "procedura-antiriciclaggio-filiali", "data-privacy-policy", "protezione-dati-clientela",
    "travel-and-expenses-policy", "trasferte-e-rimborsi", "information-security-policy", "resi-e-garanzie",
    "contratto-di-fornitura", "branch-queues-paper",
)  # fmt: skip
NOTICE = {"title": "Avviso alla clientela", "language": "it", "collection": "Notices", "tags": "avviso, filiale"}


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the sample documents of Lectern.")
    parser.add_argument("--output", type=Path, default=HERE, help="folder for documents/ and manifest.json")
    output: Path = parser.parse_args().output
    samples = list(make_samples())
    manifest = build_manifest(samples, SOURCES / "questions.jsonl")
    (output / "documents").mkdir(parents=True, exist_ok=True)
    for sample in samples:
        (output / "documents" / sample.file).write_bytes(sample.content)
        print(f"{sample.file:42} {len(sample.page_texts):3} pages {len(sample.content):8,} bytes")
    text = json.dumps(manifest, indent=2, ensure_ascii=False)
    (output / "manifest.json").write_text(text + "\n", encoding="utf-8")
    print(f"{len(manifest['questions'])} questions")


def make_samples() -> Iterator[Sample]:
    """Every document of the corpus, in the order of the manifest."""
    for name in PROSE:
        yield _pdf(f"{name}.pdf", read_source(SOURCES / f"{name}.txt"))
    tables = report_tables(SOURCES / "figures.toml")
    report = read_source(SOURCES / "annual-report-2025.txt")
    yield _sample("annual-report-2025.pdf", report, build_pdf(report, tables))
    yield _pdf("product-catalogue.pdf", catalogue_source(SOURCES / "catalogue.txt"))
    yield _scan("verbale-collaudo-scansione.pdf")
    yield _markdown("employee-handbook.md")
    notice = (SOURCES / "avviso-chiusura-ponte.txt").read_text(encoding="utf-8")
    yield Sample("avviso-chiusura-ponte.txt", "text/plain", NOTICE, notice.encode(), page_texts=(plain(notice),))


def _pdf(file: str, source: Source) -> Sample:
    return _sample(file, source, build_pdf(source))


def _sample(file: str, source: Source, built: Built) -> Sample:
    texts = page_texts(built.content)
    return Sample(file, "application/pdf", source.meta, built.content, headings=built.marks, page_texts=texts)


def _scan(file: str) -> Sample:
    source = read_source(SOURCES / "verbale-collaudo.txt")
    content = scan(build_pdf(source).content, title=source.meta["title"])
    return Sample(file, "application/pdf", source.meta, content, has_text=False, page_texts=page_texts(content))


def _markdown(file: str) -> Sample:
    text = (SOURCES / file).read_text(encoding="utf-8")
    headings = tuple(Mark(len(hashes), title, 1) for hashes, title in re.findall(r"^(#+) (.+)$", text, re.MULTILINE))
    meta = {
        "title": headings[0].text,
        "language": "en",
        "collection": "Shop policies",
        "tags": "handbook, human resources",
    }
    return Sample(file, "text/markdown", meta, text.encode(), headings=headings, page_texts=(plain(text),))


if __name__ == "__main__":
    main()
