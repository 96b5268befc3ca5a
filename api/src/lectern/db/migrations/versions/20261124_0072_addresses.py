"""Passages with an e-mail address, a web address or a telephone number have a term for it (ADR 95).

Revision ID: 20261124_0072
Revises: 20261124_0071
"""

from alembic import op

revision = "20261124_0072"
down_revision = "20261124_0071"

ADDRESSES = r"""
-- What addresses and numbers of people a plain text has, and how many: @e-mail, @web, @tel. No word and no figure of a
-- text or a question is ever a term with an @.
CREATE FUNCTION lectern_extract_contact_terms(plain text) RETURNS TABLE (term text, frequency bigint)
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT ROWS 1
BEGIN ATOMIC
    SELECT term, frequency FROM (VALUES
        ('@e-mail', CASE WHEN strpos(plain, '@') > 0 THEN regexp_count(plain,
            '[^\s@<>()\[\],;:]@([\w-]+\.)+[[:alpha:]]{2,}') END::bigint),
        ('@web', CASE WHEN strpos(plain, '://') > 0 OR strpos(plain, 'www.') > 0 THEN regexp_count(plain,
            'https?://[^\s/]|(?<![\w@./])www\.[\w-]+\.[[:alpha:]]{2,}') END::bigint),
        ('@tel', CASE WHEN plain ~ '\d{3}' THEN regexp_count(plain,
            '(?<!\w)(tel|telefono|telephone|phone|fax)[^\w\n+(]{0,4}((no|n|number|numero)[^\w\n+(]{0,3})?\+?[\d(][\d ()./-]{5,}\d'
            || '|\+\d{1,3}[ .-]?\(?\d[\d ().-]{5,}\d|\(\d{3}\) ?\d{3}[-. ]\d{4}(?!\d)'
            || '|(?<![\d.,-])\d{3}[-.]\d{3}[-.]\d{4}(?![\d.,-])') END::bigint)
    ) AS every (term, frequency) WHERE frequency > 0;
END;
"""
# What a chunk's row in the index holds; a term of its title, heading or path counts as if it were there more often.
FUNCTION = r"""
CREATE OR REPLACE FUNCTION lectern_build_lexical_entry(
    configuration regconfig, title text, heading text, path text, body text, OUT tsv tsvector, OUT lex sparsevec)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    WITH counted AS (
        SELECT term, sum(frequency)::float8 AS frequency FROM (
            SELECT term, frequency FROM lectern_tokenize_text(configuration, body)
            UNION ALL SELECT term, 5 FROM lectern_tokenize_text(configuration, title)
            UNION ALL SELECT term, 5 FROM lectern_tokenize_text(configuration, heading)
            UNION ALL SELECT term, 1 FROM lectern_tokenize_text(configuration, path){addresses}
        ) AS every GROUP BY term
    ), measured AS (
        SELECT coalesce(sum(frequency) FILTER (WHERE term !~ '^([0-9.]+%?$|@)'), 1) AS length FROM counted
    ), weighed AS (
        SELECT lectern_hash_term(term) AS hash,
               sum(frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / 180.0)))::float4 AS weight
        FROM counted, measured GROUP BY 1
    )
    SELECT coalesce((SELECT array_to_tsvector(array_agg(term)) FROM counted), ''::tsvector),
           ('{{' || coalesce((SELECT string_agg(hash || ':' || weight, ',') FROM weighed), '')
               || '}}/1000000000')::sparsevec;
END;
"""
WITH_ADDRESSES = """
            UNION ALL SELECT term, frequency FROM lectern_extract_contact_terms(lectern_normalize_text(body))"""
# Deleted and added, not changed: triggers count what comes and goes.
ANEW = (
    """
CREATE TEMPORARY TABLE with_address ON COMMIT DROP AS
SELECT l.chunk_id FROM chunk_lexical AS l JOIN chunks AS c ON c.id = l.chunk_id
WHERE EXISTS (SELECT FROM lectern_extract_contact_terms(lectern_normalize_text(c.text)));
""",
    "DELETE FROM chunk_lexical WHERE chunk_id IN (SELECT chunk_id FROM with_address);",
    r"""
INSERT INTO chunk_lexical (chunk_id, document_id, language, tsv, lex)
SELECT c.id, c.document_id, c.language, i.tsv, i.lex
FROM with_address JOIN chunks AS c ON c.id = chunk_id
JOIN documents AS d ON d.id = c.document_id
CROSS JOIN LATERAL lectern_build_lexical_entry(
    lectern_get_search_configuration(c.language),
    concat_ws(' ', d.title, regexp_replace(d.filename, '\.[[:alnum:]]{1,5}$', '')),
    coalesce(c.section_heading, ''),
    array_to_string(c.section_path, ' '),
    c.text) AS i;
""",
    "DROP TABLE with_address;",
)


def upgrade() -> None:
    op.execute("SET LOCAL statement_timeout = 0")
    op.execute(ADDRESSES)
    op.execute(FUNCTION.format(addresses=WITH_ADDRESSES))
    for statement in ANEW:
        op.execute(statement)


def downgrade() -> None:
    op.execute("SET LOCAL statement_timeout = 0")
    op.execute(FUNCTION.format(addresses=""))
    for statement in ANEW:
        op.execute(statement)
    op.execute("DROP FUNCTION lectern_extract_contact_terms(text)")
