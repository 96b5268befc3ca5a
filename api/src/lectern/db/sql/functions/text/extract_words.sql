-- Return the words of a normalized text, separated by spaces and without tokens that contain a digit.
-- The parser of Postgres would read `and/or` as a path and `-0042` as a number.
CREATE OR REPLACE FUNCTION lectern_extract_words(normalized text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN regexp_replace(normalized, '[[:alnum:]]*\d[[:alnum:]]*|[^[:alpha:]]+', ' ', 'g');
