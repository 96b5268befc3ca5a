-- Documents with their tags, versions, pages and chunks, and what people write at them.

CREATE TABLE tags (
    id UUID NOT NULL,
    name TEXT NOT NULL,
    normalized_name TEXT NOT NULL,
    color TEXT DEFAULT 'gray' NOT NULL,
    description TEXT DEFAULT '' NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    created_by TEXT,
    CONSTRAINT pk_tags PRIMARY KEY (id)
);
CREATE INDEX ix_tags_normalized_name ON tags (normalized_name);
CREATE TABLE documents (
    id UUID NOT NULL,
    collection_id UUID NOT NULL,
    filename TEXT NOT NULL,
    title TEXT,
    content_type TEXT NOT NULL,
    size_bytes BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    language TEXT,
    is_language_given BOOLEAN DEFAULT false NOT NULL,
    status TEXT DEFAULT 'queued' NOT NULL,
    page_count INTEGER,
    unreadable_page_count INTEGER DEFAULT 0 NOT NULL,
    page_images TEXT DEFAULT 'none' NOT NULL,
    chunk_count INTEGER DEFAULT 0 NOT NULL,
    embedded_chunk_count INTEGER DEFAULT 0 NOT NULL,
    outline JSONB DEFAULT '[]' NOT NULL,
    information JSONB DEFAULT '{}' NOT NULL,
    created_by TEXT DEFAULT 'system' NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    keyword_ready_at TIMESTAMP WITH TIME ZONE,
    ready_at TIMESTAMP WITH TIME ZONE,
    deleted_at TIMESTAMP WITH TIME ZONE,
    version INTEGER DEFAULT 1 NOT NULL,
    title_terms TEXT[] DEFAULT '{}' NOT NULL,
    error_code TEXT,
    error_message TEXT,
    error_hint TEXT,
    error_details JSONB,
    is_duplicate_allowed BOOLEAN DEFAULT false NOT NULL,
    CONSTRAINT pk_documents PRIMARY KEY (id),
    CONSTRAINT ck_documents_status CHECK (status IN ('queued', 'processing', 'ready', 'failed')),
    CONSTRAINT ck_documents_page_images CHECK (page_images IN ('available', 'locked', 'none')),
    CONSTRAINT fk_documents_collection_id_collections FOREIGN KEY (collection_id) REFERENCES collections (id)
);
CREATE INDEX ix_documents_created_at_id ON documents (created_at, id);
CREATE INDEX ix_documents_deleted_at ON documents (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX ix_documents_lower_filename ON documents (lower(filename));
CREATE INDEX ix_documents_sha256 ON documents (sha256);
CREATE INDEX ix_documents_status ON documents (status);
CREATE INDEX ix_documents_title_terms ON documents USING gin (title_terms) WITH (fastupdate = off);
CREATE INDEX ix_documents_collection_id_sha256 ON documents (collection_id, sha256);
-- Prevents races between principals who see the whole collection.
CREATE UNIQUE INDEX uq_documents_collection_id_sha256 ON documents (collection_id, sha256)
    WHERE deleted_at IS NULL AND NOT is_duplicate_allowed;
CREATE TABLE document_tags (
    document_id UUID NOT NULL,
    tag_id UUID NOT NULL,
    CONSTRAINT pk_document_tags PRIMARY KEY (document_id, tag_id),
    CONSTRAINT fk_document_tags_document_id_documents
        FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE,
    CONSTRAINT fk_document_tags_tag_id_tags FOREIGN KEY (tag_id) REFERENCES tags (id) ON DELETE CASCADE
);
CREATE INDEX ix_document_tags_tag_id_document_id ON document_tags (tag_id, document_id);
CREATE TABLE document_versions (
    document_id UUID NOT NULL,
    number INTEGER NOT NULL,
    state TEXT NOT NULL,
    filename TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size_bytes BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    page_count INTEGER,
    chunk_count INTEGER,
    chunks_unchanged INTEGER,
    chunks_added INTEGER,
    chunks_removed INTEGER,
    restored_from INTEGER,
    job_id UUID,
    created_by TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    current_at TIMESTAMP WITH TIME ZONE,
    error_code TEXT,
    error_message TEXT,
    error_hint TEXT,
    error_details JSONB,
    CONSTRAINT pk_document_versions PRIMARY KEY (document_id, number),
    CONSTRAINT ck_document_versions_state CHECK (state IN ('processing', 'current', 'replaced', 'failed', 'cancelled')),
    CONSTRAINT fk_document_versions_document_id_documents
        FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE INDEX ix_document_versions_sha256 ON document_versions (sha256);
CREATE TABLE pages (
    document_id UUID NOT NULL,
    page_number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    char_start INTEGER NOT NULL,
    char_count INTEGER NOT NULL,
    chunk_count INTEGER DEFAULT 0 NOT NULL,
    language TEXT,
    width_points DOUBLE PRECISION NOT NULL,
    height_points DOUBLE PRECISION NOT NULL,
    boxes BYTEA NOT NULL,
    note TEXT,
    CONSTRAINT pk_pages PRIMARY KEY (document_id, page_number),
    CONSTRAINT ck_pages_kind CHECK (kind IN ('text', 'table', 'toc', 'ocr', 'empty', 'unreadable')),
    CONSTRAINT fk_pages_document_id_documents FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE TABLE chunks (
    id UUID NOT NULL,
    document_id UUID NOT NULL,
    chunk_index INTEGER NOT NULL,
    section_heading TEXT,
    section_path TEXT[] DEFAULT '{}' NOT NULL,
    page_number INTEGER NOT NULL,
    last_page_number INTEGER NOT NULL,
    char_start INTEGER NOT NULL,
    char_end INTEGER NOT NULL,
    token_count INTEGER NOT NULL,
    content_type TEXT NOT NULL,
    importance DOUBLE PRECISION NOT NULL,
    language TEXT NOT NULL,
    content_hash BYTEA NOT NULL,
    text TEXT NOT NULL,
    CONSTRAINT pk_chunks PRIMARY KEY (id),
    CONSTRAINT uq_chunks_document_id_chunk_index UNIQUE (document_id, chunk_index),
    CONSTRAINT ck_chunks_content_type CHECK (content_type IN ('text', 'table', 'list', 'heading')),
    CONSTRAINT fk_chunks_document_id_documents FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE INDEX ix_chunks_content_hash ON chunks USING hash (content_hash);
CREATE TABLE notes (
    id UUID NOT NULL,
    document_id UUID NOT NULL,
    version INTEGER NOT NULL,
    author TEXT NOT NULL,
    author_name TEXT NOT NULL,
    page_number INTEGER NOT NULL,
    char_start INTEGER NOT NULL,
    char_end INTEGER NOT NULL,
    quote TEXT NOT NULL,
    text TEXT NOT NULL,
    is_shared BOOLEAN NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_notes PRIMARY KEY (id),
    CONSTRAINT ck_notes_range CHECK (char_start >= 0 AND char_start < char_end),
    CONSTRAINT fk_notes_document_id_documents FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE INDEX ix_notes_document_id_char_start_id ON notes (document_id, char_start, id);

CREATE TABLE watched_folders (
    collection_id UUID NOT NULL,
    path TEXT NOT NULL,
    device BIGINT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    requested_at TIMESTAMP WITH TIME ZONE,
    last_scan_at TIMESTAMP WITH TIME ZONE,
    last_outcome JSONB,
    CONSTRAINT pk_watched_folders PRIMARY KEY (collection_id),
    CONSTRAINT fk_watched_folders_collection_id_collections
        FOREIGN KEY (collection_id) REFERENCES collections (id) ON DELETE CASCADE
);
CREATE TABLE watched_files (
    collection_id UUID NOT NULL,
    path TEXT NOT NULL,
    size_bytes BIGINT NOT NULL,
    modified_ns BIGINT NOT NULL,
    inode BIGINT NOT NULL,
    content_hash TEXT,
    document_id UUID,
    problem TEXT,
    CONSTRAINT pk_watched_files PRIMARY KEY (collection_id, path),
    CONSTRAINT fk_watched_files_collection_id_watched_folders
        FOREIGN KEY (collection_id) REFERENCES watched_folders (collection_id) ON DELETE CASCADE,
    CONSTRAINT fk_watched_files_document_id_documents
        FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE SET NULL
);
CREATE INDEX ix_watched_files_document_id ON watched_files (document_id);

-- Unlogged tables are empty after a crash of Postgres. What they held is made again.
CREATE TABLE jobs (
    id UUID NOT NULL,
    kind TEXT NOT NULL,
    document_id UUID NOT NULL,
    state TEXT DEFAULT 'queued' NOT NULL,
    priority SMALLINT DEFAULT 0 NOT NULL,
    stage TEXT,
    page INTEGER,
    page_count INTEGER,
    chunks_embedded INTEGER,
    chunks_to_embed INTEGER,
    version INTEGER,
    chunks_unchanged INTEGER,
    chunks_added INTEGER,
    chunks_removed INTEGER,
    attempts INTEGER DEFAULT 0 NOT NULL,
    crashes INTEGER DEFAULT 0 NOT NULL,
    max_attempts INTEGER DEFAULT 3 NOT NULL,
    is_cancel_requested BOOLEAN DEFAULT false NOT NULL,
    arguments JSONB DEFAULT '{}' NOT NULL,
    timings_seconds JSONB DEFAULT '{}' NOT NULL,
    queue_id BIGINT,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    started_at TIMESTAMP WITH TIME ZONE,
    heartbeat_at TIMESTAMP WITH TIME ZONE,
    next_try_at TIMESTAMP WITH TIME ZONE,
    finished_at TIMESTAMP WITH TIME ZONE,
    error_code TEXT,
    error_message TEXT,
    error_hint TEXT,
    error_details JSONB,
    CONSTRAINT pk_jobs PRIMARY KEY (id),
    CONSTRAINT ck_jobs_state CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    CONSTRAINT fk_jobs_document_id_documents FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE INDEX ix_jobs_created_at_id ON jobs (created_at, id);
CREATE INDEX ix_jobs_document_id_created_at ON jobs (document_id, created_at);
CREATE INDEX ix_jobs_state ON jobs (state, created_at);
CREATE UNIQUE INDEX uq_jobs_document_id_active ON jobs (document_id) WHERE state IN ('queued', 'running');
CREATE UNLOGGED TABLE job_checkpoints (
    job_id UUID NOT NULL,
    stage TEXT NOT NULL,
    data BYTEA STORAGE EXTERNAL NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_job_checkpoints PRIMARY KEY (job_id, stage),
    CONSTRAINT fk_job_checkpoints_job_id_jobs FOREIGN KEY (job_id) REFERENCES jobs (id) ON DELETE CASCADE
);
