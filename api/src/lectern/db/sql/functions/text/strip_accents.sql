-- Remove the accents of a stem.
-- This comes after stemming, because the Spanish, French and Portuguese stemmers need accents.
CREATE OR REPLACE FUNCTION lectern_strip_accents(stem text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN translate(regexp_replace(normalize(stem, NFKD), '([a-z])[\u0300-\u036f]+', '\1', 'g'), 'øłđı', 'oldi');
