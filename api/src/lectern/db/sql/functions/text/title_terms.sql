-- Return the terms of a document's title and filename.
-- A year is split from what follows it (`2023Q2`).
CREATE OR REPLACE FUNCTION lectern_extract_title_terms(language text, title text, filename text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(
    SELECT DISTINCT term FROM lectern_tokenize_text(lectern_get_search_configuration(language), regexp_replace(
        concat_ws(' ', title, regexp_replace(filename, '\.[[:alnum:]]{1,5}$', '')),
        '((19|20)\d\d)(?=[[:alpha:]]\d)', '\1 ', 'g'))
    ORDER BY term);

-- Trigger: update `title_terms` when the title, filename or language changes.
CREATE OR REPLACE FUNCTION lectern_set_title_terms() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    NEW.title_terms := lectern_extract_title_terms(NEW.language, NEW.title, NEW.filename);
    RETURN NEW;
END $$;
