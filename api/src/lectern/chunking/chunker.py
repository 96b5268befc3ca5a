"""Cutting a document: boilerplate and contents out, sections, units, drafts, chunks."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from lectern.chunking.boilerplate import find_boilerplate
from lectern.chunking.chunk_builder import ChunkBuilder, RemovedText
from lectern.chunking.headings import find_headings
from lectern.chunking.languages import detect_language
from lectern.chunking.lines import DocumentLine, DocumentText, build_document_text
from lectern.chunking.packing import Draft, pack
from lectern.chunking.sections import DocumentSection, find_sections, join_tiny
from lectern.chunking.table_of_contents import is_contents_page
from lectern.chunking.tables import Table, find_captions, find_tables
from lectern.chunking.tokens import count_tokens
from lectern.chunking.types import ChunkedDocument, ChunkedPage, ChunkingOptions, TextChunk
from lectern.chunking.units import UnitBuilder
from lectern.extraction.types import ExtractedDocument, PageKind

_UNIT_SHARE = 0.5
_MIN_UNIT_TOKENS = 8
_SAMPLE_PAGES = 15


def chunk_document(document: ExtractedDocument, *, options: ChunkingOptions) -> ChunkedDocument:
    """Cut a document into chunks; the same document and options give the same chunks.

    Every character that is not white space, boilerplate or on a page of contents is in at least one chunk.
    """
    stream = build_document_text(document)
    boilerplate = find_boilerplate(stream.lines)
    contents = _contents_pages(stream, boilerplate)
    lines = [
        line
        for position, line in enumerate(stream.lines)
        if position not in boilerplate and line.page_number not in contents
    ]
    language = _document_language(document, lines, options)
    borders = _borders(lines, contents)
    headings = find_headings(
        lines,
        outline=document.metadata.outline,
        captions=find_captions(lines, borders=borders, stream_text=stream.text),
        stream_text=stream.text,
        page_count=len(document.pages),
    )
    heading_lines = {position for heading in headings for position in range(heading.first, heading.last)}
    tables = find_tables(lines, borders=heading_lines | borders)
    maker = ChunkBuilder(
        stream=stream,
        lines=lines,
        removed=RemovedText.of(stream, boilerplate=boilerplate, contents=contents),
        tables=tables,
        heading_lines=heading_lines,
        language=language,
        options=options,
    )
    sections = find_sections(headings, len(lines))
    chunks: list[TextChunk] = []
    for section, draft in _drafts(sections, tables, lines=lines, stream=stream, borders=borders, options=options):
        chunks.extend(maker.make(section, draft, first_index=len(chunks)))
    pages = _ledger(document, stream, contents=contents, chunks=chunks)
    return ChunkedDocument(title=document.metadata.title, language=language, pages=pages, chunks=tuple(chunks))


def _contents_pages(stream: DocumentText, boilerplate: set[int]) -> set[int]:
    by_page: dict[int, list[str]] = defaultdict(list)
    for position, line in enumerate(stream.lines):
        if position not in boilerplate:
            by_page[line.page_number].append(line.text)
    page_count = len(stream.page_numbers)
    return {number for number, lines in by_page.items() if is_contents_page(lines, page_count=page_count)}


def _borders(lines: Sequence[DocumentLine], contents: set[int]) -> set[int]:
    """Positions of the first lines behind a page of contents: nothing reaches over it."""
    return {
        position
        for position in range(1, len(lines))
        if not contents.isdisjoint(range(lines[position - 1].page_number + 1, lines[position].page_number))
    }


def _document_language(document: ExtractedDocument, lines: Sequence[DocumentLine], options: ChunkingOptions) -> str:
    """The language given, else that of most sampled pages, else what the file declares, else the first configured."""
    if options.language:
        return options.language
    declared = document.metadata.language if document.metadata.language in options.languages else None
    by_page: dict[int, list[str]] = defaultdict(list)
    for line in lines:
        by_page[line.page_number].append(line.text)
    texts = [" ".join(page) for page in by_page.values()]
    step = max(1, len(texts) // _SAMPLE_PAGES)
    votes = Counter(detect_language(text, languages=options.languages, otherwise="") for text in texts[::step])
    votes.pop("", None)
    return votes.most_common(1)[0][0] if votes else declared or options.languages[0]


def _drafts(
    sections: Sequence[DocumentSection],
    tables: Sequence[Table],
    *,
    lines: Sequence[DocumentLine],
    stream: DocumentText,
    borders: set[int],
    options: ChunkingOptions,
) -> Iterator[tuple[DocumentSection, Draft]]:
    """The drafts of every section, in order; none reaches over a page of contents."""
    tokens = [count_tokens(line.text) + 1 for line in lines]
    sums = [0]
    for count in tokens:
        sums.append(sums[-1] + count)
    most = max(_MIN_UNIT_TOKENS, int(_UNIT_SHARE * (options.overlap_tokens or options.target_tokens // 4)))
    units = UnitBuilder(
        lines=lines,
        line_tokens=tokens,
        stream_text=stream.text,
        most_tokens=most,
        most_row_tokens=options.target_tokens // 2,
    )
    joined = join_tiny(
        [part for section in sections for part in section.split_at(borders)],
        tokens_of=lambda section: sums[section.last] - sums[section.first],
        floor=options.floor_tokens,
        most=options.target_tokens,
        borders=borders,
    )
    waiting = list(reversed(tables))
    for section in joined:
        inside: list[Table] = []
        while waiting and waiting[-1].first < section.last:
            inside.append(waiting.pop())
        for draft in pack(units.units(section, inside), options):
            yield section, draft


def _ledger(
    document: ExtractedDocument, stream: DocumentText, *, contents: set[int], chunks: Sequence[TextChunk]
) -> tuple[ChunkedPage, ...]:
    languages: dict[int, Counter[str]] = defaultdict(Counter)
    for chunk in chunks:
        for page_number in range(chunk.page_number, chunk.last_page_number + 1):
            languages[page_number][chunk.language] += 1
    pages: list[ChunkedPage] = []
    for index, page in enumerate(document.pages):
        spoken = languages[page.page_number]
        start = stream.page_starts[index]
        pages.append(
            ChunkedPage(
                page_number=page.page_number,
                kind=PageKind.TOC if page.page_number in contents else page.kind,
                char_start=start,
                char_end=start + len(page.text),
                chunk_count=spoken.total() if page.text else 0,
                language=spoken.most_common(1)[0][0] if spoken and page.text else None,
            )
        )
    return tuple(pages)
