-- Convert a text to lower case and split ligatures and full-width characters (NFKC).
CREATE OR REPLACE FUNCTION lectern_normalize_text(body text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN lower(normalize(body, NFKC));
