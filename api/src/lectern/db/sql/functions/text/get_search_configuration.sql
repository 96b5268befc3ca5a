-- Return the stemmer and stop words of a language (ISO 639-1). Other languages are indexed without stemming.
CREATE OR REPLACE FUNCTION lectern_get_search_configuration(language text) RETURNS regconfig
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE language
    WHEN 'en' THEN 'pg_catalog.english'::regconfig
    WHEN 'it' THEN 'pg_catalog.italian'::regconfig
    WHEN 'de' THEN 'pg_catalog.german'::regconfig
    WHEN 'fr' THEN 'pg_catalog.french'::regconfig
    WHEN 'es' THEN 'pg_catalog.spanish'::regconfig
    WHEN 'pt' THEN 'pg_catalog.portuguese'::regconfig
    WHEN 'nl' THEN 'pg_catalog.dutch'::regconfig
    ELSE 'pg_catalog.simple'::regconfig END;
