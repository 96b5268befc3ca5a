"""The newest 1,000 granted documents of a person are those that a plain query over all grants finds."""

import psycopg
import pytest
from benchmarks.throwaway import ThrowawayDatabase

# One giver of each kind. Half of the grants are of the same time: then the id decides.
FILL = """
INSERT INTO users (id, email, password_hash, role, is_active)
SELECT gen_random_uuid(), name || '@example.org', '', role, name <> 'gone' FROM (VALUES
    ('admin', 'admin'), ('gone', 'admin'), ('editor', 'editor'), ('owner', 'reader'),
    ('reader', 'reader'), ('few', 'reader'), ('nothing', 'reader')) AS u (name, role);
INSERT INTO collections (id, name, is_open) SELECT gen_random_uuid(), name, name = 'open'
FROM unnest(ARRAY['open', 'read', 'first', 'second']) AS name;
INSERT INTO collection_members (collection_id, user_id, can_write)
SELECT c.id, u.id, u.role = 'editor' FROM collections AS c, users AS u
WHERE (c.name, u.email) IN (('read', 'reader@example.org'), ('first', 'editor@example.org'),
                            ('second', 'owner@example.org'));
INSERT INTO documents (id, collection_id, owner_id, filename, content_type, size_bytes, sha256)
SELECT gen_random_uuid(), c.id, CASE WHEN n % 3 = 0 THEN u.id END, n || '.txt', 'text/plain', 1, c.name || n
FROM collections AS c, users AS u, generate_series(1, 900) AS n
WHERE c.name <> 'Library' AND u.email = 'owner@example.org';
INSERT INTO tags (id, name, normalized_name)
SELECT gen_random_uuid(), name, name FROM unnest('{red,blue}'::text[]) AS name;
INSERT INTO document_tags (document_id, tag_id)
SELECT d.id, t.id FROM documents AS d, tags AS t WHERE hashtext(d.filename || t.name) % 2 = 0;
INSERT INTO document_grants (id, document_id, email, granted_by, granted_at)
SELECT gen_random_uuid(), d.id, p.name || '@example.org', 'user:1',
    now() - greatest(hashtext(d.sha256), 0) * interval '1 us'
FROM documents AS d, (VALUES ('reader', 2), ('few', 90)) AS p (name, every)
WHERE hashtext(d.sha256 || p.name) % p.every = 0;
INSERT INTO tag_grants (id, tag_id, email, granted_by, granted_at)
SELECT gen_random_uuid(), t.id, p.email, u.id, now() - (hashtext(t.name || u.email) % 1000) * interval '1 s'
FROM tags AS t, users AS u, (VALUES ('reader@example.org'), ('tagged@example.org')) AS p (email)
WHERE u.email NOT LIKE 'reader%'
"""
PLAIN = """
SELECT s.document_id FROM (
    SELECT g.document_id, g.granted_at FROM document_grants AS g WHERE g.email = %(email)s
    UNION ALL
    SELECT d.id, g.granted_at FROM tag_grants AS g JOIN users AS u ON u.id = g.granted_by AND u.is_active
    JOIN document_tags AS t ON t.tag_id = g.tag_id JOIN documents AS d ON d.id = t.document_id
    LEFT JOIN collection_members AS m ON m.collection_id = d.collection_id AND m.user_id = u.id
    WHERE g.email = %(email)s
      AND (u.role = 'admin' OR (u.role = 'editor' AND m.can_write) OR (m.user_id = u.id AND d.owner_id = u.id))
) AS s JOIN documents AS d ON d.id = s.document_id JOIN collections AS c ON c.id = d.collection_id
WHERE NOT c.is_open AND NOT EXISTS (
    SELECT FROM collection_members AS m JOIN users AS u ON u.id = m.user_id AND u.email = %(email)s
    WHERE m.collection_id = c.id)
GROUP BY s.document_id ORDER BY max(s.granted_at) DESC, s.document_id LIMIT 1000
"""
LISTED = "SELECT lectern_list_granted_documents((SELECT id FROM users WHERE email = %(email)s), %(email)s)"
ENDINGS = (
    "DELETE FROM document_grants WHERE document_id IN (SELECT id FROM documents ORDER BY id LIMIT 500)",
    "UPDATE users SET is_active = false WHERE email = 'admin@example.org'",
    "UPDATE collection_members SET can_write = false",
    "DELETE FROM document_tags WHERE tag_id IN (SELECT id FROM tags WHERE name = 'red')",
    "UPDATE documents SET collection_id = c.id FROM collections AS c WHERE c.name = 'open' AND filename LIKE '%5.txt'",
    "DELETE FROM tag_grants",
)


@pytest.mark.parametrize("prepare", ["SELECT 1", "ANALYZE"])
def test_newest_granted_documents_equal_those_of_a_plain_query(database: ThrowawayDatabase, prepare: str) -> None:
    most: dict[str, int] = {}
    with psycopg.connect(database.superuser_url, autocommit=True) as connection:
        connection.execute(FILL.encode())
        connection.execute(prepare.encode())
        connection.execute("SET ROLE lectern_system")
        for ending in ("SELECT 1", *ENDINGS):
            connection.execute(ending.encode())
            for name in ("reader", "few", "tagged", "nothing"):
                email = {"email": f"{name}@example.org"}
                expected = connection.execute(PLAIN, email).fetchall()
                assert connection.execute(LISTED, email).fetchall() == expected, (ending, name)
                most[name] = max(most.get(name, 0), len(expected))
    assert 0 < most.pop("few") < 100
    assert most == {"reader": 1000, "tagged": 1000, "nothing": 0}
