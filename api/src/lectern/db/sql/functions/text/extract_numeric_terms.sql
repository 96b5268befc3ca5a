-- Return the numbers and identifiers of a normalized text, with their frequencies.
-- `222,730` becomes 222730 whatever its thousands separator. `4,5 %` becomes 4.5 and 4.5%.
-- `art. 12-bis` becomes 12-bis and 12, `SKU-0042` becomes sku-0042 and 0042, `FY2017` becomes fy2017 and 2017.
CREATE OR REPLACE FUNCTION lectern_extract_numeric_terms(normalized text) RETURNS TABLE (term text, frequency bigint)
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT ROWS 40
BEGIN ATOMIC
    WITH matches AS (
        SELECT m[1] AS token, m[2] IS NOT NULL AS is_percent,
               m[1] ~ '^\d{1,3}([.,]\d{3})+([.,]\d+)?$' OR m[1] ~ '^\d+([.,]\d+)?$' AS is_number
        FROM regexp_matches(normalized,
            '((?:[[:alnum:]]+[-/._])*[[:alpha:]]*\d[[:alnum:]]*(?:(?:[-/._]|(?<=\d),(?=\d))[[:alnum:]]+)*)( ?%)?',
            'g') AS m
    ), tokens AS (
        SELECT CASE
            WHEN NOT is_number THEN token
            WHEN token ~ '^\d{1,3}([.,]\d{3})+$' THEN regexp_replace(token, '[.,]', '', 'g')
            ELSE replace(regexp_replace(token, '[.,](?=.*[.,])', '', 'g'), ',', '.') END AS token,
            is_number, is_percent
        FROM matches
    ), parts AS (
        SELECT part, token FROM tokens, regexp_split_to_table(token, '[-/.,_]') AS part
        WHERE NOT is_number AND part ~ '\d'
    )
    SELECT term, count(*) FROM (
        SELECT token AS term FROM tokens
        UNION ALL SELECT token || '%' FROM tokens WHERE is_percent
        UNION ALL SELECT part FROM parts WHERE part <> token
        UNION ALL SELECT substring(part FROM '\d+') FROM parts
        WHERE part ~ '^([[:alpha:]]{1,4}\d{2,}|\d{2,}[[:alpha:]]{1,3})$'
    ) AS terms GROUP BY term;
END;
