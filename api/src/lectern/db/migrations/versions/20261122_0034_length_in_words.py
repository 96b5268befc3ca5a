"""Figures do not make a passage longer: the keyword arm measures length in words (docs/adr/0018).

Revision ID: 20261122_0034
Revises: 20261122_0030
"""

from alembic import op

revision = "20261122_0034"
down_revision = "20261122_0030"

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
            UNION ALL SELECT term, 1 FROM lectern_tokenize_text(configuration, path)
        ) AS every GROUP BY term
    ), measured AS (
        SELECT {length} AS length FROM counted
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
# The words of every passage stay as they are; only what each is worth is measured anew.
WEIGH = r"""
UPDATE chunk_lexical AS l SET lex = i.lex
FROM chunks AS c
JOIN documents AS d ON d.id = c.document_id
CROSS JOIN LATERAL lectern_build_lexical_entry(
    lectern_get_search_configuration(c.language),
    concat_ws(' ', d.title, regexp_replace(d.filename, '\.[[:alnum:]]{1,5}$', '')),
    coalesce(c.section_heading, ''),
    array_to_string(c.section_path, ' '),
    c.text) AS i
WHERE c.id = l.chunk_id
"""
WORDS = "coalesce(sum(frequency) FILTER (WHERE term !~ '^[0-9.]+%?$'), 1)"
TERMS = "sum(frequency)"


def upgrade() -> None:
    op.execute("SET LOCAL statement_timeout = 0")
    op.execute(FUNCTION.format(length=WORDS))
    op.execute(WEIGH)


def downgrade() -> None:
    op.execute("SET LOCAL statement_timeout = 0")
    op.execute(FUNCTION.format(length=TERMS))
    op.execute(WEIGH)
