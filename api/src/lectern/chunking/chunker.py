"""Chunk a document: remove boilerplate and tables of contents, find sections, pack units, build chunks."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from lectern.chunking.boilerplate import find_boilerplate, find_retained_lines, may_have_boilerplate
from lectern.chunking.chunk_builder import ChunkBuilder, RemovedText
from lectern.chunking.headings import find_headings
from lectern.chunking.languages import detect_language
from lectern.chunking.lines import DocumentLine, DocumentText, build_document_text
from lectern.chunking.packing import ChunkDraft, UnitBuilder, pack
from lectern.chunking.sections import DocumentSection, find_sections, join_tiny
from lectern.chunking.table_of_contents import is_contents_page
from lectern.chunking.tables import Table, find_captions, find_tables
from lectern.chunking.tokens import count_tokens
from lectern.chunking.types import ChunkedDocument, ChunkedPage, ChunkingOptions, TextChunk
from lectern.extraction.types import ExtractedDocument, PageKind

_UNIT_SHARE = 0.5
_MIN_UNIT_TOKENS = 8
_SAMPLE_PAGES = 15


def chunk_document(document: ExtractedDocument, *, options: ChunkingOptions) -> ChunkedDocument:
    """Chunk a document. The same document and options give the same chunks.

    Every character is in a chunk, except white space, repeated boilerplate, page numbers and tables of contents.
    """
    document_text = build_document_text(document)
    boilerplate = find_boilerplate(document_text.lines) if may_have_boilerplate(document.content_type) else set[int]()
    toc_pages = _toc_pages(document_text, boilerplate)
    boilerplate -= find_retained_lines(document_text.lines, boilerplate)
    lines = [
        line
        for position, line in enumerate(document_text.lines)
        if position not in boilerplate and line.page_number not in toc_pages
    ]
    language = _document_language(document, lines, options)
    barriers = _barriers(lines, toc_pages)
    headings = find_headings(
        lines,
        outline=document.metadata.outline,
        captions=find_captions(lines, barriers=barriers, document_text=document_text.text),
        document_text=document_text.text,
        page_count=len(document.pages),
    )
    heading_lines = {position for heading in headings for position in range(heading.first, heading.last)}
    tables = find_tables(lines, barriers=heading_lines | barriers)
    builder = ChunkBuilder(
        document_text=document_text,
        lines=lines,
        removed=RemovedText.of(document_text, boilerplate=boilerplate, toc_pages=toc_pages),
        tables=tables,
        heading_lines=heading_lines,
        language=language,
        options=options,
    )
    sections = find_sections(headings, len(lines))
    drafts = _drafts(sections, tables, lines=lines, document_text=document_text, barriers=barriers, options=options)
    chunks: list[TextChunk] = []
    for section, draft in drafts:
        chunks.extend(builder.build(section, draft, first_index=len(chunks)))
    pages = _page_ledger(document, document_text, toc_pages=toc_pages, chunks=chunks)
    return ChunkedDocument(title=document.metadata.title, language=language or None, pages=pages, chunks=tuple(chunks))


def _toc_pages(document_text: DocumentText, boilerplate: set[int]) -> set[int]:
    by_page: dict[int, list[str]] = defaultdict(list)
    for position, line in enumerate(document_text.lines):
        if position not in boilerplate:
            by_page[line.page_number].append(line.text)
    page_count = len(document_text.page_numbers)
    return {number for number, lines in by_page.items() if is_contents_page(lines, page_count=page_count)}


def _barriers(lines: Sequence[DocumentLine], toc_pages: set[int]) -> set[int]:
    """Return the first lines after a table of contents. No section or chunk crosses them."""
    return {
        position
        for position in range(1, len(lines))
        if not toc_pages.isdisjoint(range(lines[position - 1].page_number + 1, lines[position].page_number))
    }


def _document_language(document: ExtractedDocument, lines: Sequence[DocumentLine], options: ChunkingOptions) -> str:
    """Return the given language, else that of most sampled pages, the declared one, or the first configured.

    It is `OTHER_LANGUAGE` if most sampled pages are in none of the configured ones.
    """
    if options.language:
        return options.language
    declared = document.metadata.language if document.metadata.language in options.languages else None
    by_page: dict[int, list[str]] = defaultdict(list)
    for line in lines:
        by_page[line.page_number].append(line.text)
    texts = [" ".join(page) for page in by_page.values()]
    step = max(1, len(texts) // _SAMPLE_PAGES)
    detected = (detect_language(text, languages=options.languages) for text in texts[::step])
    votes = Counter(language for language in detected if language is not None)
    return votes.most_common(1)[0][0] if votes else declared or options.languages[0]


def _drafts(
    sections: Sequence[DocumentSection],
    tables: Sequence[Table],
    *,
    lines: Sequence[DocumentLine],
    document_text: DocumentText,
    barriers: set[int],
    options: ChunkingOptions,
) -> Iterator[tuple[DocumentSection, ChunkDraft]]:
    tokens = [count_tokens(line.text) + 1 for line in lines]
    sums = [0]
    for count in tokens:
        sums.append(sums[-1] + count)
    max_tokens = max(_MIN_UNIT_TOKENS, int(_UNIT_SHARE * (options.overlap_tokens or options.target_tokens // 4)))
    units = UnitBuilder(
        lines=lines,
        line_tokens=tokens,
        document_text=document_text.text,
        max_tokens=max_tokens,
        max_row_tokens=options.target_tokens // 2,
    )
    joined = join_tiny(
        [part for section in sections for part in section.split_at(barriers)],
        tokens_of=lambda section: sums[section.last] - sums[section.first],
        floor=options.floor_tokens,
        max_tokens=options.target_tokens,
        barriers=barriers,
    )
    pending = list(reversed(tables))
    for section in joined:
        in_section: list[Table] = []
        while pending and pending[-1].first < section.last:
            in_section.append(pending.pop())
        for draft in pack(units.units(section, in_section), options):
            yield section, draft


def _page_ledger(
    document: ExtractedDocument, document_text: DocumentText, *, toc_pages: set[int], chunks: Sequence[TextChunk]
) -> tuple[ChunkedPage, ...]:
    languages: dict[int, Counter[str]] = defaultdict(Counter)
    for chunk in chunks:
        for page_number in range(chunk.page_number, chunk.last_page_number + 1):
            languages[page_number][chunk.language] += 1
    pages: list[ChunkedPage] = []
    for index, page in enumerate(document.pages):
        counts = languages[page.page_number]
        start = document_text.page_starts[index]
        pages.append(
            ChunkedPage(
                page_number=page.page_number,
                kind=PageKind.TOC if page.page_number in toc_pages else page.kind,
                char_start=start,
                char_end=start + len(page.text),
                chunk_count=counts.total() if page.text else 0,
                language=(counts.most_common(1)[0][0] or None) if counts and page.text else None,
            )
        )
    return tuple(pages)
