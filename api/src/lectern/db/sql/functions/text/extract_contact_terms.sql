-- Return the terms @e-mail, @web and @tel for the kinds of addresses in a normalized text, with their frequencies.
-- No other term of a text or query contains an @.
CREATE OR REPLACE FUNCTION lectern_extract_contact_terms(normalized text) RETURNS TABLE (term text, frequency bigint)
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT ROWS 1
BEGIN ATOMIC
    SELECT term, frequency FROM (VALUES
        ('@e-mail', CASE WHEN strpos(normalized, '@') > 0 THEN regexp_count(normalized,
            '[^\s@<>()\[\],;:]@([\w-]+\.)+[[:alpha:]]{2,}') END::bigint),
        ('@web', CASE WHEN strpos(normalized, '://') > 0 OR strpos(normalized, 'www.') > 0 THEN regexp_count(normalized,
            'https?://[^\s/]|(?<![\w@./])www\.[\w-]+\.[[:alpha:]]{2,}') END::bigint),
        ('@tel', CASE WHEN normalized ~ '\d{3}' THEN regexp_count(normalized,
            '(?<!\w)(tel|telefono|telephone|phone|fax)[^\w\n+(]{0,4}((no|n|number|numero)[^\w\n+(]{0,3})?\+?[\d(][\d ()./-]{5,}\d'
            || '|\+\d{1,3}[ .-]?\(?\d[\d ().-]{5,}\d|\(\d{3}\) ?\d{3}[-. ]\d{4}(?!\d)'
            || '|(?<![\d.,-])\d{3}[-.]\d{3}[-.]\d{4}(?![\d.,-])') END::bigint)
    ) AS kinds (term, frequency) WHERE frequency > 0;
END;
