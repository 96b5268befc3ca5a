-- Trigger: exempt a document from the unique index of files, because its writer does not see the whole collection.
CREATE OR REPLACE FUNCTION lectern_allow_duplicates() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.is_duplicate_allowed := true;
    RETURN NEW;
END $$;
