"""A large library for the end-to-end tests, written straight into the database: `fill_library.py DATA_FOLDER`.

10,000 documents with up to four of 1,000 tags, in four collections, of several types, languages, sizes and days. Their
files are not there and their pages are empty: they are for lists, filters and counts. Prints how many there are now.
"""

import sys
from pathlib import Path
from typing import Final

import psycopg
from lectern.cli.installation import running_installation
from lectern.embedded.data_folder import DataFolder

DOCUMENTS: Final = 10_000
TAGS: Final = 1_000

STATEMENTS: Final = (
    "SELECT setseed(0.4711)",
    """
    INSERT INTO collections (id, name) SELECT gen_random_uuid(), name
    FROM unnest(ARRAY['Ledgers', 'Letters', 'Charts']) AS name
    """,
    """
    INSERT INTO tags (id, name, normalized_name, color)
    SELECT gen_random_uuid(), name, name, (ARRAY['blue', 'teal', 'grape', 'orange', 'gray'])[1 + mod(n, 5)]
    FROM (SELECT n, format('ship %%s', to_char(n, 'FM0000')) AS name FROM generate_series(1, %(tags)s) AS n) AS named
    """,
    """
    INSERT INTO documents (
        id, collection_id, filename, title, content_type, size_bytes, sha256, language, status, page_count,
        created_at, updated_at, keyword_ready_at, ready_at)
    SELECT gen_random_uuid(), shelves.ids[1 + mod(n, cardinality(shelves.ids))],
        format('voyage-%%s.pdf', to_char(n, 'FM00000')), format('Journal of voyage %%s to %%s', n,
            (ARRAY['Genoa', 'Lisbon', 'Rotterdam', 'Trieste', 'Gdansk', 'Bergen', 'Piraeus'])[1 + mod(n, 7)]),
        (ARRAY['application/pdf', 'text/markdown', 'text/html', 'text/plain'])[1 + mod(n, 4)],
        (1000 + random() * 5000000)::bigint, encode(sha256(format('voyage %%s', n)::bytea), 'hex'),
        (ARRAY['en', 'it', 'en', 'de'])[1 + mod(n, 4)], 'ready', 1, at, at, at, at
    FROM generate_series(1, %(documents)s) AS n,
        (SELECT array_agg(id ORDER BY name) AS ids FROM collections) AS shelves,
        LATERAL (SELECT now() - n * interval '7 minutes' - interval '1 day' AS at) AS moment
    """,
    """
    INSERT INTO pages (document_id, page_number, kind, text, char_start, char_count, width_points, height_points, boxes)
    SELECT id, 1, 'empty', '', 0, 0, 595, 842, '' FROM documents WHERE filename LIKE 'voyage-%%'
    """,
    """
    INSERT INTO document_tags (document_id, tag_id)
    SELECT DISTINCT d.id, names.ids[1 + floor(power(random(), 2) * %(tags)s)::int]
    FROM documents d, generate_series(1, 4),
        (SELECT array_agg(id ORDER BY name) AS ids FROM tags WHERE name LIKE 'ship %%') AS names
    WHERE d.filename LIKE 'voyage-%%'
    """,
    "ANALYZE documents, pages, tags, document_tags, collections",
)


def main(folder: Path) -> None:
    """Fill the library of a running `lectern up`; one that is filled already stays as it is."""
    installation = running_installation(DataFolder(folder))
    if installation is None:
        raise SystemExit(f"No Lectern runs in {folder}.")
    url = installation.owner_url.replace("postgresql+psycopg://", "postgresql://")
    with psycopg.connect(url) as connection:
        count = "SELECT (SELECT count(*) FROM documents), (SELECT count(*) FROM tags)"
        documents, tags = connection.execute(count).fetchone() or (0, 0)
        if documents < DOCUMENTS:
            for statement in STATEMENTS:
                connection.execute(statement, {"documents": DOCUMENTS, "tags": TAGS})
            documents, tags = connection.execute(count).fetchone() or (0, 0)
        print(documents, tags)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
