-- Return the dimension of a term in a term vector, from 1 to 999,999,999.
CREATE OR REPLACE FUNCTION lectern_hash_term(term text) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN ((hashtextextended(term, 0) & 9223372036854775807) % 999999999)::integer + 1;
