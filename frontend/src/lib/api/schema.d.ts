// Generated from api/openapi.json by scripts/schema.mjs; do not edit.

export interface paths {
    "/.well-known/oauth-authorization-server": {
        /** @description Get the addresses and abilities of the authorization server (RFC 8414). */
        get: operations["get_authorization_server_metadata"];
    };
    "/.well-known/oauth-protected-resource": {
        /** @description Get the MCP service as a protected resource (RFC 9728). The MCP service has it too. */
        get: operations["get_protected_resource_metadata"];
    };
    "/api/v1/answers": {
        /**
         * @description List your questions and answers, newest first. Nobody else can read them, not even administrators.
         *
         *     An answer is visible while you may read every document it cites. Purging one of them deletes the answer.
         */
        get: operations["list_answers"];
        /**
         * @description Answer a question from the documents in your scope, with citations, or return the closest passages.
         *
         *     Questions for a count (how many pages, how often a term appears) are answered from the full text.
         *
         *     Calculations and comparisons are answered in several steps; `metadata.trace` lists them.
         *
         *     With `stream`, events arrive in this order: `retrieval`, each `step`, each `citation` before the `token` that
         *     names it, then `end` with the whole response. A `token` is a sentence that passed verification. An error ends the
         *     stream with `problem`.
         */
        post: operations["create_answer"];
        /** @description Delete your whole history. */
        delete: operations["delete_answers"];
    };
    "/api/v1/answers/{answer_id}": {
        /** @description Get a saved answer. */
        get: operations["get_answer"];
        /** @description Delete one answer. */
        delete: operations["delete_answer"];
    };
    "/api/v1/answers/{answer_id}/feedback": {
        /**
         * @description Rate an answer.
         *
         *     The page with the answer becomes a golden query: `right`, or the first citation of a helpful answer.
         *     A read-only API key can store a verdict, but cannot create golden queries.
         */
        put: operations["put_answer_feedback"];
    };
    "/api/v1/auth/me": {
        /** @description Get the caller and its permissions. */
        get: operations["get_me"];
    };
    "/api/v1/auth/methods": {
        /** @description Get how people can sign in, for the sign-in page. */
        get: operations["get_sign_in_methods"];
    };
    "/api/v1/auth/password": {
        /** @description Change the caller's password and revoke all other sessions. */
        post: operations["change_password"];
    };
    "/api/v1/auth/refresh": {
        /** @description Exchange a refresh token for new tokens. Using it twice revokes the session. */
        post: operations["refresh_session"];
    };
    "/api/v1/auth/second-factor": {
        /** @description Get the state of the caller's two-factor authentication. */
        get: operations["get_second_factor"];
        /** @description Create a secret for an authenticator app. Confirm it with a code. */
        post: operations["begin_second_factor"];
    };
    "/api/v1/auth/second-factor/confirm": {
        /** @description Turn two-factor authentication on. The recovery codes are shown once. */
        post: operations["confirm_second_factor"];
    };
    "/api/v1/auth/second-factor/disable": {
        /** @description Turn two-factor authentication off with the password and a code. */
        post: operations["disable_second_factor"];
    };
    "/api/v1/auth/sessions": {
        /** @description List the caller's active sessions. */
        get: operations["list_sessions"];
    };
    "/api/v1/auth/sessions/{session_id}": {
        /** @description Revoke one session of the caller. Its tokens are invalid at once. */
        delete: operations["end_session"];
    };
    "/api/v1/auth/sign-in": {
        /** @description Sign in with an e-mail address and a password. A second factor needs a second step (`second_factor_required`). */
        post: operations["sign_in"];
    };
    "/api/v1/auth/sign-in/second-factor": {
        /** @description Sign in with the challenge token of the first step and a code. Each code is accepted once. */
        post: operations["sign_in_with_code"];
    };
    "/api/v1/auth/sign-out": {
        /** @description Revoke the current session and delete its cookies. Open `redirect_to` to leave single sign-on too. */
        post: operations["sign_out"];
    };
    "/api/v1/auth/sign-out-everywhere": {
        /** @description Revoke all sessions of the caller. Their tokens are invalid at once. */
        post: operations["sign_out_everywhere"];
    };
    "/api/v1/auth/single-sign-on": {
        /** @description Redirect a browser to the identity provider. Errors show on the sign-in page. */
        get: operations["begin_single_sign_on"];
    };
    "/api/v1/auth/single-sign-on/callback": {
        /** @description Sign in who comes back from the identity provider, and open the page that was wanted. */
        get: operations["finish_single_sign_on"];
    };
    "/api/v1/collections": {
        /** @description List the collections in the caller's scope. */
        get: operations["list_collections"];
        /** @description Create a collection. Administrators only. */
        post: operations["create_collection"];
    };
    "/api/v1/collections/named": {
        /** @description Get the collection that a name refers to. No match is an error that lists close names. */
        get: operations["get_named_collection"];
    };
    "/api/v1/collections/{collection_id}": {
        /** @description Get one collection. */
        get: operations["get_collection"];
        /** @description Delete an empty collection, or move its documents first. Administrators only. */
        delete: operations["delete_collection"];
        /** @description Change the name, description or access of a collection, or make it the default. Administrators only. */
        patch: operations["update_collection"];
    };
    "/api/v1/collections/{collection_id}/folder": {
        /** @description Return the directory of a collection and the result of the last scan, or null without one (administrators). */
        get: operations["get_collection_folder"];
        /**
         * @description Bind a collection to a directory of the server (administrators).
         *
         *     Files that are added, changed, renamed or deleted there follow in the library.
         *     Put the same path again to confirm a replaced disk.
         */
        put: operations["put_collection_folder"];
        /** @description Stop watching the directory. The documents stay (administrators). */
        delete: operations["delete_collection_folder"];
    };
    "/api/v1/collections/{collection_id}/ingest": {
        /**
         * @description Scan the directory of a collection now. New files are queued when this returns.
         *
         *     `dry_run` returns the plan without changes. Needs write access to all documents of the collection.
         *     `confirm_prune` is for administrators.
         */
        post: operations["ingest_collection_folder"];
    };
    "/api/v1/collections/{collection_id}/members": {
        /** @description List the members of a collection. Administrators only. */
        get: operations["list_collection_members"];
    };
    "/api/v1/collections/{collection_id}/members/{user_id}": {
        /** @description Give a user access to a closed collection. Administrators only. */
        put: operations["put_collection_member"];
        /** @description Remove a user's access to a closed collection. Administrators only. */
        delete: operations["remove_collection_member"];
    };
    "/api/v1/documents": {
        /** @description List the documents that match the filter. */
        get: operations["list_documents"];
        /**
         * @description Upload one or more files. They are stored when the response arrives and processed in the background.
         *
         *     Tags in the form are added to those in the query. Other form fields override the query.
         */
        post: operations["upload_documents"];
    };
    "/api/v1/documents/bulk": {
        /** @description Tag, untag, move, trash, restore, purge or reprocess many documents, by ids or by filter. */
        post: operations["change_documents"];
    };
    "/api/v1/documents/from-url": {
        /** @description Fetch a file from the public Internet and add it to the library. It is processed in the background. */
        post: operations["add_document_from_url"];
    };
    "/api/v1/documents/named": {
        /** @description Get the document that a name refers to. No match and several matches are errors that list candidates. */
        get: operations["get_named_document"];
    };
    "/api/v1/documents/{document_id}": {
        /** @description Get one document, also from the trash. */
        get: operations["get_document"];
        /** @description Move a document to the trash, or purge it. */
        delete: operations["delete_document"];
        /** @description Change title, filename, aliases, language, tags or collection. */
        patch: operations["update_document"];
    };
    "/api/v1/documents/{document_id}/chunks": {
        /** @description List the chunks of a document in reading order. */
        get: operations["list_document_chunks"];
    };
    "/api/v1/documents/{document_id}/content": {
        /** @description Get the text of a document. Offsets of chunks and citations refer to it. */
        get: operations["get_document_content"];
        /**
         * @description Upload a new version of a document.
         *
         *     Id, title, tags and collection stay. Unchanged chunks keep their embeddings. The current version stays in use until
         *     the new one is complete. A version that fails changes nothing.
         */
        put: operations["replace_document_content"];
    };
    "/api/v1/documents/{document_id}/copies": {
        /** @description List documents with the same file or most of the same chunks. */
        get: operations["list_document_copies"];
    };
    "/api/v1/documents/{document_id}/events": {
        /** @description Stream events of one document. The stream ends when the caller's permissions change. */
        get: operations["stream_document_events"];
    };
    "/api/v1/documents/{document_id}/find": {
        /** @description Find text in one document, ignoring case, accents and line breaks. At most 10,000 matches. */
        get: operations["find_in_document"];
    };
    "/api/v1/documents/{document_id}/grants": {
        /** @description List who may read a document. For its owner, editors of its collection and administrators. */
        get: operations["list_document_grants"];
        /** @description Let a person read a document, now or once they have an account. */
        put: operations["put_document_grant"];
    };
    "/api/v1/documents/{document_id}/grants/owner": {
        /** @description Change the owner of a document. Its grants stay. For administrators. */
        put: operations["put_document_owner"];
    };
    "/api/v1/documents/{document_id}/grants/{grant_id}": {
        /** @description Take a grant back. The person loses access with the next request. */
        delete: operations["delete_document_grant"];
    };
    "/api/v1/documents/{document_id}/ingest": {
        /** @description Reprocess a document. Encrypted files need a password. */
        post: operations["ingest_document"];
    };
    "/api/v1/documents/{document_id}/notes": {
        /** @description List your notes on a document and those that are shared, in reading order. */
        get: operations["list_notes"];
        /** @description Add a note at a passage. Nobody else sees it unless it is shared, not even administrators. */
        post: operations["create_note"];
    };
    "/api/v1/documents/{document_id}/notes/{note_id}": {
        /** @description Delete your note. */
        delete: operations["delete_note"];
        /** @description Change the text of your note, share it or take it back. */
        patch: operations["update_note"];
    };
    "/api/v1/documents/{document_id}/original": {
        /** @description Download the uploaded file, or a range of its bytes. */
        get: operations["get_document_original"];
    };
    "/api/v1/documents/{document_id}/outline": {
        /** @description Get the headings of a document and their pages. */
        get: operations["get_document_outline"];
    };
    "/api/v1/documents/{document_id}/pages": {
        /** @description List the pages of a document with their kind, language and counts. */
        get: operations["list_document_pages"];
    };
    "/api/v1/documents/{document_id}/pages/{page_number}": {
        /** @description Get one page with its text. */
        get: operations["get_document_page"];
    };
    "/api/v1/documents/{document_id}/pages/{page_number}/image": {
        /**
         * @description Draw a page as WebP. Pages of Office files are drawn as LibreOffice prints them, if the server has it.
         *
         *     Slides have their own numbers. The numbers of other printed pages may differ from those of `/pages`.
         */
        get: operations["get_document_page_image"];
    };
    "/api/v1/documents/{document_id}/rectangles": {
        /** @description Get the rectangles of a text range on its pages. */
        get: operations["get_document_rectangles"];
    };
    "/api/v1/documents/{document_id}/restore": {
        /** @description Restore a document from the trash. */
        post: operations["restore_document"];
    };
    "/api/v1/documents/{document_id}/stats": {
        /** @description Count over the full text: pages, words, and how often a term appears on which pages. */
        get: operations["get_document_stats"];
    };
    "/api/v1/documents/{document_id}/versions": {
        /** @description List the versions of a document, newest first. */
        get: operations["list_document_versions"];
    };
    "/api/v1/documents/{document_id}/versions/{number}/original": {
        /** @description Download the file of one version, or a range of its bytes. */
        get: operations["get_version_original"];
    };
    "/api/v1/documents/{document_id}/versions/{number}/restore": {
        /** @description Restore an older version as a new version. Cached embeddings are reused. */
        post: operations["restore_document_version"];
    };
    "/api/v1/evaluations/golden": {
        /** @description List the golden queries of documents in scope, newest first. `lectern eval golden` runs them. */
        get: operations["list_golden_queries"];
        /**
         * @description Mark a page, or one of its chunks, as the answer to a query. Repeating the call changes nothing.
         *
         *     An API key needs write access.
         */
        post: operations["create_golden_query"];
    };
    "/api/v1/evaluations/golden/{golden_query_id}": {
        /** @description Delete your own golden query, or any in a collection that you may write to. */
        delete: operations["delete_golden_query"];
    };
    "/api/v1/evaluations/preview": {
        /**
         * @description Preview which golden queries improve or regress with other settings or another embedding model.
         *
         *     Nothing is applied. To apply a change, set the environment variables, or call
         *     `POST /system/embeddings/{generation_id}/use`.
         *
         *     The newest 200 golden queries run twice, which may take some seconds.
         */
        post: operations["preview_search_settings"];
    };
    "/api/v1/evaluations/run": {
        /** @description Run the newest 200 golden queries. Their ranks are then in `/evaluations/golden`. */
        post: operations["run_golden_queries"];
    };
    "/api/v1/evaluations/settings": {
        /** @description List the search settings that `/evaluations/preview` accepts, with their environment variables. */
        get: operations["list_search_settings"];
    };
    "/api/v1/events": {
        /** @description Stream events of all documents in scope. The stream ends when the caller's permissions change. */
        get: operations["stream_all_events"];
    };
    "/api/v1/extracts/caches": {
        /** @description Return the state of your caches. */
        get: operations["get_extracts_caches"];
        /** @description Clear your caches. Needs write access. */
        delete: operations["clear_extracts_caches"];
    };
    "/api/v1/extracts/chunks": {
        /** @description Return a file in chunks, with sizes by file type. */
        post: operations["chunk_file"];
    };
    "/api/v1/extracts/documents": {
        /** @description Return the text, outline, tables and URLs of a file. Nothing is added to the library. */
        post: operations["process_file"];
    };
    "/api/v1/extracts/formats": {
        /** @description List the supported formats. */
        get: operations["list_file_formats"];
    };
    "/api/v1/extracts/health": {
        /** @description Return the models, limits and caches of file processing. */
        get: operations["get_extracts_health"];
    };
    "/api/v1/extracts/language": {
        /** @description Detect the language of a text by a vote of its parts. */
        post: operations["detect_text_language"];
    };
    "/api/v1/extracts/retrieval": {
        /** @description Return the chunks of a file that match a question best, by keyword and meaning. */
        post: operations["retrieve_file_chunks"];
    };
    "/api/v1/extracts/rows": {
        /** @description Return the rows of a spreadsheet that match the words of a query. */
        post: operations["query_file_rows"];
    };
    "/api/v1/extracts/tables": {
        /** @description Return the tables of a file with their columns and first rows. */
        post: operations["extract_file_tables"];
    };
    "/api/v1/extracts/text": {
        /** @description Return the text of a file page by page. Pages without text are read by OCR. */
        post: operations["extract_file_text"];
    };
    "/api/v1/jobs": {
        /** @description List jobs of the documents in scope, newest first. */
        get: operations["list_jobs"];
    };
    "/api/v1/jobs/{job_id}": {
        /** @description Return one job. */
        get: operations["get_job"];
    };
    "/api/v1/jobs/{job_id}/cancel": {
        /** @description Cancel a queued or running job. */
        post: operations["cancel_job"];
    };
    "/api/v1/jobs/{job_id}/retry": {
        /** @description Retry a failed or cancelled job. */
        post: operations["retry_job"];
    };
    "/api/v1/keys": {
        /** @description List the caller's keys. Administrators see all keys. */
        get: operations["list_api_keys"];
        /** @description Create a key. Its permissions never exceed those of its creator, now or later. */
        post: operations["create_api_key"];
    };
    "/api/v1/keys/introspect": {
        /** @description Get the permissions of a key. Only for services of this installation. */
        post: operations["introspect_api_key"];
    };
    "/api/v1/keys/policy": {
        /** @description Get the longest lifetime of keys, and what each toolset permits. */
        get: operations["get_key_policy"];
    };
    "/api/v1/keys/{key_id}": {
        /** @description Get one key without its secret. */
        get: operations["get_api_key"];
        /** @description Revoke a key. */
        delete: operations["revoke_api_key"];
        /** @description Change the name, toolsets or allowed networks of a key. */
        patch: operations["update_api_key"];
    };
    "/api/v1/keys/{key_id}/rotate": {
        /** @description Give a key a new secret. The old one keeps working for `overlap_hours`. */
        post: operations["rotate_api_key"];
    };
    "/api/v1/keys/{key_id}/test": {
        /** @description List the tools that a key sees over MCP, and measure a call. This server makes the calls. */
        post: operations["test_api_key"];
    };
    "/api/v1/keys/{key_id}/view": {
        /** @description Count what a key sees, and list what it may do. */
        get: operations["view_api_key"];
    };
    "/api/v1/notes": {
        /** @description Search your notes and those that are shared with you. A note matches at least half of the words. */
        get: operations["search_notes"];
    };
    "/api/v1/oauth/authorization": {
        /** @description Get the client that asks for access, and what it asks for. */
        get: operations["preview_authorization"];
        /** @description Give a client a key with the chosen limits, or refuse. The browser must go to `redirect_to`. */
        post: operations["decide_authorization"];
    };
    "/api/v1/oauth/register": {
        /** @description Register a client (RFC 7591). Anybody may, as often in 15 minutes as sign-in may fail. */
        post: operations["register_oauth_client"];
    };
    "/api/v1/oauth/revoke": {
        /** @description Revoke the key of an access token or a refresh token (RFC 7009). */
        post: operations["revoke_oauth_token"];
    };
    "/api/v1/oauth/token": {
        /** @description Exchange a code or a refresh token. Each works once, and using one twice revokes the key. */
        post: operations["exchange_oauth_token"];
    };
    "/api/v1/quotes/verify": {
        /**
         * @description Check a quotation against the documents: EXACT, NEAR (with the differences) or NOT_FOUND.
         *
         *     Line breaks, hyphenation, ligatures, and the shapes of quotation marks and dashes are ignored. Every word, digit and
         *     capital counts.
         */
        post: operations["verify_quote"];
    };
    "/api/v1/samples": {
        /** @description Get the number of sample documents, and how many are in the library. */
        get: operations["get_samples"];
        /** @description Upload the sample documents with their collections and tags. They are processed in the background. */
        post: operations["load_samples"];
    };
    "/api/v1/search": {
        /**
         * @description Find passages by keyword and by meaning.
         *
         *     Unknown tags, documents, collections and languages return an error that lists the known ones.
         *     `metadata.coverage` shows what was not searched. `message` suggests what to do next.
         */
        post: operations["search"];
    };
    "/api/v1/search/why": {
        /**
         * @description Explain why a search missed an expected document, page or quote.
         *
         *     Send the same search with the expected passage. `change` is the smallest change that would find it.
         */
        post: operations["why"];
    };
    "/api/v1/sign-in-settings": {
        /** @description Get how people sign in, and what their groups give. */
        get: operations["get_sign_in_settings"];
        /** @description Replace how people sign in. To switch local passwords off, sign in over single sign-on first. */
        put: operations["update_sign_in_settings"];
    };
    "/api/v1/system": {
        /** @description Return versions, checks, library counts, queue, storage, disk and embedding models. */
        get: operations["get_system"];
    };
    "/api/v1/system/audit": {
        /** @description List audit events, newest first. */
        get: operations["list_audit_events"];
    };
    "/api/v1/system/audit/export": {
        /** @description Download audit events as lines of JSON or CSV, oldest first. The export is recorded too. */
        get: operations["export_audit_events"];
    };
    "/api/v1/system/embeddings/{generation_id}/use": {
        /**
         * @description Search with the embeddings of another configured model, in every process. Switch back the same way.
         *
         *     Refused while documents lack these embeddings, unless `incomplete` is true.
         */
        post: operations["use_embeddings"];
    };
    "/api/v1/system/mcp-address": {
        /** @description Return the address of the MCP service for agents on the caller's machine. */
        get: operations["get_mcp_address"];
    };
    "/api/v1/tags": {
        /** @description List the tags in the caller's scope with their document counts. */
        get: operations["list_tags"];
        /** @description Create a tag. */
        post: operations["create_tag"];
    };
    "/api/v1/tags/{tag_id}": {
        /** @description Get one tag. */
        get: operations["get_tag"];
        /** @description Delete a tag and remove it from every document. */
        delete: operations["delete_tag"];
        /** @description Change the name, colour or description of a tag. */
        patch: operations["update_tag"];
    };
    "/api/v1/tags/{tag_id}/grants": {
        /** @description List with whom you share the documents of a tag. Administrators see what everybody shares. */
        get: operations["list_tag_grants"];
        /** @description Let a person read the documents of a tag that you may share, and those that get the tag later. */
        put: operations["put_tag_grant"];
    };
    "/api/v1/tags/{tag_id}/grants/owner": {
        /** @description Change the owner of a tag. Its grants stay. For administrators. */
        put: operations["put_tag_owner"];
    };
    "/api/v1/tags/{tag_id}/grants/{grant_id}": {
        /** @description Take a grant back. The person loses access with the next request. */
        delete: operations["delete_tag_grant"];
    };
    "/api/v1/tags/{tag_id}/merge": {
        /** @description Merge other tags into this one. */
        post: operations["merge_tags"];
    };
    "/api/v1/threads": {
        /**
         * @description List your threads, the last used first. Nobody else can read them, not even administrators.
         *
         *     A thread is visible while you may read one of its answers. `POST /answers` begins and continues threads.
         */
        get: operations["list_threads"];
    };
    "/api/v1/threads/{thread_id}": {
        /** @description Get a thread with those of its answers that you may read. */
        get: operations["get_thread"];
        /** @description Delete a thread with its answers. */
        delete: operations["delete_thread"];
        /** @description Rename a thread. */
        patch: operations["update_thread"];
    };
    "/api/v1/users": {
        /** @description List all users. */
        get: operations["list_users"];
        /** @description Create a user. */
        post: operations["create_user"];
    };
    "/api/v1/users/{user_id}": {
        /** @description Get one user. */
        get: operations["get_user"];
        /** @description Delete a user with its sessions and keys. Its documents and tags stay, without an owner. */
        delete: operations["delete_user"];
        /** @description Change the name, role, password or active state of a user. */
        patch: operations["update_user"];
    };
    "/api/v1/users/{user_id}/second-factor": {
        /** @description Turn off the two-factor authentication of a user who lost it. */
        delete: operations["reset_second_factor"];
    };
    "/api/v1/users/{user_id}/transfer": {
        /** @description Give the documents and tags that a user owns to another account. Grants stay. For administrators. */
        post: operations["transfer_ownership"];
    };
    "/api/v1/webhooks": {
        /** @description List the webhooks with their state, oldest first (administrators). */
        get: operations["list_webhooks"];
        /** @description Create a webhook and return its secret, once. It gets the events from now on (administrators). */
        post: operations["create_webhook"];
    };
    "/api/v1/webhooks/events": {
        /**
         * @description List events of the last 30 days in their order, as they are sent (administrators).
         *
         *     Events are recorded while there is a webhook.
         */
        get: operations["list_webhook_events"];
    };
    "/api/v1/webhooks/{webhook_id}": {
        /** @description Get a webhook without its secret (administrators). */
        get: operations["get_webhook"];
        /** @description Delete a webhook with its delivery log (administrators). */
        delete: operations["delete_webhook"];
        /** @description Change, pause or resume a webhook (administrators). */
        patch: operations["update_webhook"];
    };
    "/api/v1/webhooks/{webhook_id}/deliveries": {
        /** @description List the attempts of the last 30 days, newest first (administrators). */
        get: operations["list_webhook_deliveries"];
    };
    "/api/v1/webhooks/{webhook_id}/replay": {
        /** @description Send the events after a cursor again, with their ids. Starts a failing webhook (administrators). */
        post: operations["replay_webhook"];
    };
    "/api/v1/webhooks/{webhook_id}/rotate": {
        /** @description Give a webhook a new secret. Messages are signed with both for `overlap_hours` (administrators). */
        post: operations["rotate_webhook_secret"];
    };
    "/api/v1/webhooks/{webhook_id}/test": {
        /** @description Send a `webhook.test` message now and return how the endpoint answered (administrators). */
        post: operations["send_webhook_test"];
    };
    "/health": {
        /** @description Return 200 while the process is alive. */
        get: operations["get_health"];
    };
    "/metrics": {
        /** @description Return metrics in the Prometheus text format, for this machine or with LECTERN_METRICS_TOKEN. */
        get: operations["get_metrics"];
    };
    "/ready": {
        /** @description Check the services that requests need. */
        get: operations["get_readiness"];
    };
    "/v1/chat/completions": {
        /**
         * @description Answer the last user message as `POST /api/v1/answers` does, in the form of OpenAI's Chat Completions API.
         *
         *     `model` is the scope. A follow-up question is rewritten from the messages before it, as in a thread. The content has
         *     footnotes, which are also in `annotations`. The answer is not saved in your history. `lectern` has the outcome.
         */
        post: operations["create_chat_completion"];
    };
    "/v1/models": {
        /** @description List the models you may use: the library, and the first 1,000 collections and 1,000 tags in your scope. */
        get: operations["list_chat_models"];
    };
    "/v1/models/{name}": {
        /** @description Return one model you may use, also one of a document or beyond the first 1,000. */
        get: operations["get_chat_model"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A file on the public Internet that becomes a document. */
        AddFromUrl: {
            /** @description Id or name. */
            collection?: string | null;
            /** @description Name of the document. Null: the last part of the URL. */
            filename?: string | null;
            language?: string | null;
            /**
             * @description Ids or names.
             * @default []
             */
            tags: string[];
            /** @description Public http(s) URL. */
            url: string;
        };
        /** @description A citation in the form of a web search. */
        Annotation: {
            /**
             * @default url_citation
             * @constant
             */
            type: "url_citation";
            url_citation: components["schemas"]["UrlCitation"];
        };
        /** @description An answer with citations, or the closest chunks. */
        Answer: {
            /** @description Empty if there is no answer. */
            answer: string;
            /** @description True if the outcome is `answered`. */
            answer_found: boolean;
            citations: components["schemas"]["Citation"][];
            /** @description Filenames of the documents that the request names. */
            document_filter: string[];
            /** @description Id in your history; null if it was not saved. */
            id: string | null;
            /** @description Without an answer: the closest chunks, at most three. */
            nearest: components["schemas"]["ClosestSource"][];
            /**
             * @description `answered`; `closest_passages`: no certain answer, `nearest` may hold it; `nothing_found`: no chunks in scope, or none that seems to be about the question.
             * @enum {string}
             */
            outcome: "answered" | "closest_passages" | "nothing_found";
            question: string;
            /** @description Number of chunks retrieved for the question. */
            retrieved_count: number;
            /** @description What was asked instead of a follow-up question; null if it stands alone. */
            rewritten_question?: string | null;
            sentences: components["schemas"]["AnswerSentence"][];
            /** @description Continue with it; null if it was not saved. */
            thread_id?: string | null;
        };
        /** @description Facts about an answer. OpenAI has no such member. */
        AnswerFacts: {
            /** @description Absent if none was estimated. */
            confidence?: number | null;
            /** @enum {string} */
            mode: "model" | "extractive" | "count";
            /** @enum {string} */
            outcome: "answered" | "closest_passages" | "nothing_found";
            /** @description What was asked instead of a follow-up question. Absent if that was asked itself. */
            rewritten_question?: string | null;
        };
        /** @description Details about how the answer was made. */
        AnswerMetadata: {
            /** @description Probability that the documents answer, 0..1: by the search, and for `extractive` by the best sentence too. */
            confidence: number | null;
            coverage: components["schemas"]["Coverage"];
            /** @description Sources that the model cited and was not given. */
            dropped_labels: number;
            /** @description Sentences of the model without support in any chunk. */
            dropped_sentences: number;
            /** @description Probability that the best sentences answer, 0..1; null for `count`. */
            evidence: number | null;
            /** @description True if the chat endpoint read page images. */
            is_vision_used: boolean;
            /**
             * @description `model`: written by the chat endpoint and checked against the chunks; `extractive`: sentences from the documents; `count`: counted over the full text.
             * @enum {string}
             */
            mode: "model" | "extractive" | "count";
            model: string | null;
            /** @description Reason for having no answer. `nothing_found`: there are no chunks to answer from. `ambiguous_document`: several documents answer it, each differently. `not_calculated`: see `trace.calculation.refusal`. `budget_exhausted`: see `trace.stopped_by`. */
            reason: ("nothing_found" | "weak_evidence" | "underspecified" | "contradicted" | "ambiguous_document" | "model_abstained" | "unsupported" | "not_calculated" | "budget_exhausted") | null;
            /** @description Output format requested from the endpoint; null without one. */
            structured_output: ("json_schema" | "json_object") | null;
            took_ms: components["schemas"]["AnsweringTook"];
            /** @description How the answer was made. Null for answers that were saved before. */
            trace?: components["schemas"]["AnswerTrace"] | null;
            usage: components["schemas"]["Usage"] | null;
            /** @description Null if the text gave an answer, or the endpoint does not read images. */
            vision?: components["schemas"]["Vision"] | null;
        };
        /** @description A question and where to look for its answer. */
        AnswerRequest: {
            /**
             * @description Ids or names of collections to search.
             * @default []
             */
            collections: string[];
            /** @description Only documents uploaded at or after this. */
            created_after?: string | null;
            /** @description Only documents uploaded before this. */
            created_before?: string | null;
            /** @description Id or filename of the only document to search. */
            document?: string | null;
            /**
             * @description Ids or filenames of documents to search. A comparison searches each of them.
             * @default []
             */
            documents: string[];
            /** @description Only documents in this language (ISO 639). */
            language?: string | null;
            /** @description A question, in any language. */
            question: string;
            /**
             * @description Rewrite a follow-up question from its thread. False: ask it as it is.
             * @default true
             */
            rewrite: boolean;
            /**
             * @description Save the question and answer in your history, in a new thread without `thread_id`.
             * @default true
             */
            save: boolean;
            /**
             * @description `auto`: several steps for calculations and comparisons, with a chat endpoint; `never`; `always`.
             * @default auto
             * @enum {string}
             */
            steps: "auto" | "never" | "always";
            /**
             * @description Answer with server-sent events.
             * @default false
             */
            stream: boolean;
            /** @description Names of tags. A plain list matches any of them. */
            tags?: components["schemas"]["TagFilter"];
            /** @description A thread of yours that the question continues. Its filters apply where you give none. */
            thread_id?: string | null;
            /**
             * @description Number of chunks to answer from. The best keyword match is added to them.
             * @default 8
             */
            top_k: number;
        };
        /** @description An answer, its details, and what to do next. */
        AnswerResponse: {
            data: components["schemas"]["Answer"];
            message: string;
            metadata: components["schemas"]["AnswerMetadata"];
        };
        /** @description A sentence of the answer and the citations that support it. */
        AnswerSentence: {
            /** @description Numbers of citations. */
            citations: number[];
            text: string;
        };
        /** @description The steps that made the answer. */
        AnswerTrace: {
            calculation?: components["schemas"]["Calculation"] | null;
            /** @default [] */
            evidence: components["schemas"]["EvidenceCell"][];
            /** @default [] */
            rejected: components["schemas"]["RejectedCell"][];
            /**
             * @description `single_step` or `multi_step`.
             * @enum {string}
             */
            route: "single_step" | "multi_step";
            /**
             * @description `simple_question`, `calculation` and `comparison` come from the question, `requested` from `steps`. `unusable_plan`: the model's plan was refused twice.
             * @enum {string}
             */
            route_reason: "simple_question" | "calculation" | "comparison" | "requested" | "count" | "no_chat_endpoint" | "nothing_found" | "unusable_plan";
            /** @default [] */
            steps: components["schemas"]["TraceStep"][];
            /** @description The limit that ended the answer. */
            stopped_by?: ("searches" | "tokens" | "seconds") | null;
        };
        /** @description Times in milliseconds. */
        AnsweringTook: {
            answering: number;
            retrieval: number;
            total: number;
        };
        /** @description A new key. An absent list means no limit. Names are resolved now, so later renames have no effect. */
        ApiKeyCreate: {
            /**
             * @description Addresses from which the key works, in CIDR notation. Null: from everywhere.
             * @example [
             *       "10.0.0.0/8",
             *       "2001:db8::/32"
             *     ]
             */
            allowed_networks?: string[] | null;
            /** @default false */
            can_write: boolean;
            /** @description Ids or names. The key sees only these collections. */
            collections?: string[] | null;
            /** @description Ids or filenames. The key sees only these documents. */
            documents?: string[] | null;
            expires_at?: string | null;
            name: string;
            /** @description Ids or names. The key sees only documents with one of these tags. */
            tags?: string[] | null;
            /** @description What the key may do (`GET /keys/policy`). Null: `search`; with `can_write`, `library` too. */
            toolsets?: ("search" | "answers" | "library" | "extract" | "connector")[] | null;
        };
        /** @description A key with its new secret. */
        ApiKeyCreated: {
            api_key: components["schemas"]["ApiKeyResponse"];
            /** @description The secret key. Save it now: only its hash is stored. */
            key: string;
        };
        /** @description A key without its secret. */
        ApiKeyResponse: {
            allowed_networks: string[] | null;
            can_write: boolean;
            /** @description The app that this key connects by OAuth. Null: a key for people. */
            client_name: string | null;
            collection_ids: string[] | null;
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            document_ids: string[] | null;
            expires_at: string | null;
            /** Format: uuid */
            id: string;
            last_used_at: string | null;
            name: string;
            /** @description The first characters of the key. */
            prefix: string;
            /** @description The previous secret works until then. */
            previous_expires_at: string | null;
            /** @description The first characters of the secret before the last rotation. */
            previous_prefix: string | null;
            revoked_at: string | null;
            tag_ids: string[] | null;
            toolsets: string[];
        };
        /** @description The overlap of the old and the new secret, and the new expiry. */
        ApiKeyRotate: {
            /** @description Expiry of the new secret. Null: that of the key stays. */
            expires_at?: string | null;
            /**
             * @description 0: the old secret stops at once.
             * @default 24
             */
            overlap_hours: number;
        };
        /** @description Fields to change. To change what a key sees, create another key. */
        ApiKeyUpdate: {
            /** @description Null: the key works from everywhere. */
            allowed_networks?: string[] | null;
            name?: string | null;
            toolsets?: ("search" | "answers" | "library" | "extract" | "connector")[] | null;
        };
        /** @description The answer with its sources. */
        AssistantMessage: {
            annotations: components["schemas"]["Annotation"][];
            content: string;
            /**
             * @default assistant
             * @constant
             */
            role: "assistant";
        };
        /** @description One recorded action. `details` has the new values, and `before` in it the values that they replaced. */
        AuditEventResponse: {
            action: string;
            actor: string;
            /** @description Its name today. Null if it is gone or has none. */
            actor_name?: string | null;
            /** Format: date-time */
            at: string;
            details: {
                [key: string]: unknown;
            };
            id: number;
            request_id: string;
            target: string;
            /** @description Its name today. Null if it is gone or has none. */
            target_name?: string | null;
        };
        /** @description The decision of a person. `key` is what the client gets, null refuses. */
        AuthorizationDecision: {
            key?: components["schemas"]["ApiKeyCreate"] | null;
            request: components["schemas"]["AuthorizationRequest"];
        };
        /** @description The client that asks, and what it asks for. */
        AuthorizationPreview: {
            /** @description The host that publishes the client's metadata. Null: not verified. */
            client_host: string | null;
            /** @description The name that the client gives itself. */
            client_name: string;
            /** @description A program on the person's own machine receives access. */
            is_loopback: boolean;
            /** @description The host that receives access. */
            redirect_host: string;
            /** @description Set if the request is wrong: the client's address with the error. */
            redirect_to: string | null;
            /** @description The toolsets in `scope`, or `search`. */
            toolsets: ("search" | "answers" | "library" | "extract" | "connector")[];
        };
        /** @description The address to which the browser returns. */
        AuthorizationRedirect: {
            redirect_to: string;
        };
        /** @description The parameters with which a client sends a person to the consent screen (RFC 6749, 7636 and 8707). */
        AuthorizationRequest: {
            client_id: string;
            /** @default  */
            code_challenge: string;
            /** @default  */
            code_challenge_method: string;
            redirect_uri: string;
            resource?: string | null;
            /** @default  */
            response_type: string;
            /** @default  */
            scope: string;
            state?: string | null;
        };
        /** @description The addresses and abilities of the authorization server (RFC 8414). */
        AuthorizationServerMetadata: {
            authorization_endpoint: string;
            /** @default true */
            authorization_response_iss_parameter_supported: boolean;
            /** @default true */
            client_id_metadata_document_supported: boolean;
            /**
             * @default [
             *       "S256"
             *     ]
             */
            code_challenge_methods_supported: string[];
            /**
             * @default [
             *       "authorization_code",
             *       "refresh_token"
             *     ]
             */
            grant_types_supported: string[];
            issuer: string;
            registration_endpoint: string;
            /**
             * @default [
             *       "query"
             *     ]
             */
            response_modes_supported: string[];
            /**
             * @default [
             *       "code"
             *     ]
             */
            response_types_supported: string[];
            revocation_endpoint: string;
            /**
             * @default [
             *       "none"
             *     ]
             */
            revocation_endpoint_auth_methods_supported: string[];
            scopes_supported: string[];
            token_endpoint: string;
            /**
             * @default [
             *       "none"
             *     ]
             */
            token_endpoint_auth_methods_supported: string[];
        };
        /** @description An action on many documents, selected by `ids` or by `filter`. */
        BulkRequest: {
            /** @enum {string} */
            action: "tag" | "untag" | "move" | "delete" | "restore" | "purge" | "reingest" | "change_owner";
            /** @description For `move`. */
            collection?: string | null;
            filter?: components["schemas"]["DocumentFilter"] | null;
            ids?: string[] | null;
            /** @description For `change_owner`: an address. For administrators. */
            owner?: string | null;
            /** @description For `tag` and `untag`. */
            tags?: string[] | null;
        };
        /** @description Counts of a bulk action. `skipped` documents needed no change or conflict with an existing document. */
        BulkResponse: {
            action: string;
            changed: number;
            /** @description For `delete`: the documents that are in the trash now, for an undo with `restore`. */
            ids?: string[] | null;
            matched: number;
            receipt?: components["schemas"]["PurgeReceipt"] | null;
            skipped: number;
        };
        /** @description The content of a cache, and its hits and misses since the process started. */
        CacheFacts: {
            entries: number;
            hits: number;
            max_bytes: number;
            max_entries: number;
            misses: number;
            /** @enum {string} */
            name: "download" | "document" | "retriever";
            size_bytes: number;
        };
        /** @description The number of removed entries. */
        CachesCleared: {
            cleared: number;
        };
        /** @description The caches. */
        CachesResponse: {
            caches: components["schemas"]["CacheFacts"][];
            ttl_seconds: number;
        };
        /** @description A calculation over cells. `value` and `display` are null if it was refused. */
        Calculation: {
            /** @description Ids of the cells that it uses. */
            cells: string[];
            /** @description The rounded number with scale and unit. */
            display: string | null;
            /** @description With ids of searches. */
            expression: string;
            /** @description Operations in order, with ids of cells and amounts. */
            lines: components["schemas"]["CalculationLine"][];
            refusal: components["schemas"]["Refusal"] | null;
            unit: string | null;
            /** @description The unrounded decimal number. */
            value: string | null;
        };
        /** @description An operation and its result. */
        CalculationLine: {
            expression: string;
            result: string;
        };
        /** @description An answer. `usage` is absent if no chat endpoint was used, or if it counted nothing. */
        ChatCompletion: {
            choices: components["schemas"]["Choice"][];
            /** @description Unix time in seconds. */
            created: number;
            id: string;
            lectern: components["schemas"]["AnswerFacts"];
            model: string;
            /**
             * @default chat.completion
             * @constant
             */
            object: "chat.completion";
            usage?: components["schemas"]["ChatUsage"] | null;
        };
        /** @description A conversation. Its last user message is the question, and earlier ones complete a follow-up. */
        ChatCompletionRequest: {
            /** @description Has no effect. */
            frequency_penalty?: unknown;
            logit_bias?: {
                [key: string]: unknown;
            } | null;
            logprobs?: false | null;
            /** @description Has no effect. */
            max_completion_tokens?: unknown;
            /** @description Has no effect. */
            max_tokens?: unknown;
            messages: components["schemas"]["ChatMessage"][];
            /** @description Has no effect. */
            metadata?: unknown;
            /** @description `lectern`, or `lectern/` with `collection/`, `tag/` or `document/` and a name. */
            model: string;
            n?: 1 | null;
            /** @description Has no effect. */
            parallel_tool_calls?: unknown;
            /** @description Has no effect. */
            presence_penalty?: unknown;
            /** @description Has no effect. */
            prompt_cache_key?: unknown;
            /** @description Has no effect. */
            reasoning_effort?: unknown;
            response_format?: components["schemas"]["TextFormat"] | null;
            /** @description Has no effect. */
            safety_identifier?: unknown;
            /** @description Has no effect. */
            seed?: unknown;
            /** @description Has no effect. */
            service_tier?: unknown;
            stop?: unknown[] | null;
            /** @description Has no effect. */
            store?: unknown;
            /** @description Answer with server-sent events. */
            stream?: boolean | null;
            stream_options?: components["schemas"]["StreamOptions"] | null;
            /** @description Has no effect. */
            temperature?: unknown;
            tool_choice?: ("none" | "auto") | null;
            tools?: unknown[] | null;
            /** @description Has no effect. */
            top_p?: unknown;
            /** @description Has no effect. */
            user?: unknown;
            /** @description Has no effect. */
            verbosity?: unknown;
        };
        /** @description A message of the conversation. Clients send earlier answers back, with members that are not read. */
        ChatMessage: {
            content?: string | components["schemas"]["ContentPart"][] | null;
            /** @enum {string} */
            role: "system" | "developer" | "user" | "assistant";
        };
        /** @description A scope as a model. */
        ChatModel: {
            /** @description Unix time in seconds; 0 for the library. */
            created: number;
            id: string;
            /**
             * @default model
             * @constant
             */
            object: "model";
            /**
             * @default lectern
             * @constant
             */
            owned_by: "lectern";
        };
        /** @description The models that the caller may use. */
        ChatModels: {
            data: components["schemas"]["ChatModel"][];
            /**
             * @default list
             * @constant
             */
            object: "list";
        };
        /** @description Tokens that the chat endpoint counted. */
        ChatUsage: {
            completion_tokens: number;
            prompt_tokens: number;
            total_tokens: number;
        };
        /** @description The only answer. */
        Choice: {
            /**
             * @default stop
             * @constant
             */
            finish_reason: "stop";
            /**
             * @default 0
             * @constant
             */
            index: 0;
            message: components["schemas"]["AssistantMessage"];
        };
        /** @description A chunk as the library would make it, with at most 5,000 characters of text. */
        ChunkOfFile: {
            char_end: number;
            char_start: number;
            chunk_index: number;
            /** @enum {string} */
            content_type: "text" | "table" | "list" | "heading";
            importance: number;
            is_truncated: boolean;
            keyword_rank?: number | null;
            /** @description Empty if it is none of the configured ones. */
            language: string;
            last_page_number: number;
            page_number: number;
            /** @description Of retrieval, 0..1: ranks, importance and diversity of content types in one. */
            score?: number | null;
            section_heading: string | null;
            /** @description The headings above it, the outermost first. */
            section_path: string[];
            semantic_rank?: number | null;
            text: string;
            token_count: number;
        };
        /** @description A chunk of the document. */
        ChunkResponse: {
            char_end: number;
            char_start: number;
            chunk_index: number;
            /** @enum {string} */
            content_type: "text" | "table" | "list" | "heading";
            /** Format: uuid */
            id: string;
            importance: number;
            /** @description Empty if it is none of the configured ones. */
            language: string;
            last_page_number: number;
            page_number: number;
            section_heading: string | null;
            /** @description The headings above it, the outermost first. */
            section_path: string[];
            text: string;
            token_count: number;
        };
        /** @description A file in chunks. */
        ChunksOfFile: {
            /** @description Target size of a chunk for this type and length. */
            chunk_characters: number;
            chunk_count: number;
            chunks: components["schemas"]["ChunkOfFile"][];
            file: components["schemas"]["FileFacts"];
            offset: number;
            overlap_characters: number;
        };
        /** @description A file to chunk, and the range of chunks to return. */
        ChunksRequest: {
            /** @description Bytes of the file in base64, instead of `url`. */
            content?: string | null;
            /** @description File name. Its extension tells text formats apart. */
            filename?: string | null;
            /**
             * @description Chunks wanted.
             * @default 50
             */
            limit: number;
            /**
             * @description Index of the first chunk.
             * @default 0
             */
            offset: number;
            /** @description Password of a protected file. */
            password?: string | null;
            /** @description Public http(s) URL. */
            url?: string | null;
        };
        /** @description The part of a document that supports a sentence. */
        Citation: {
            /**
             * @description `text`: the snippet was checked against the sentence. `image`: the chat endpoint read it from the image of the page, which cannot be checked; the snippet is empty and the rectangle is the whole page.
             * @default text
             * @enum {string}
             */
            basis: "text" | "image";
            char_end: number;
            /** @description Offset of the snippet in the document's text. */
            char_start: number;
            /** @description Null for a count, which covers the full text. */
            chunk_id: string | null;
            /** @enum {string} */
            content_type: "text" | "table" | "list" | "heading";
            /** @description The document's filename. */
            document: string;
            /** Format: uuid */
            document_id: string;
            highlights: components["schemas"]["PageHighlight"][];
            last_page_number: number;
            links: components["schemas"]["DocumentLinks"];
            /** @description From 1, in the order of the answer. Sentences refer to it. */
            number: number;
            page_number: number;
            /** @description Search score of the chunk; 0 for a page without a retrieved chunk. */
            score: number;
            section_heading: string | null;
            /** @description The exact text that supports the sentence. */
            snippet: string;
            /** @description The cells, if the snippet is a row below a header. */
            table?: components["schemas"]["CitedTable"] | null;
            title: string | null;
        };
        /** @description The header and the row of a table that are cited, cell by cell. */
        CitedTable: {
            header: string[];
            rows: string[][];
        };
        /** @description A chunk that comes close to an answer, with its best sentence. Both are null if no sentence can be quoted. */
        ClosestSource: {
            char_end?: number | null;
            /** @description Offset of that sentence in the document's text. */
            char_start?: number | null;
            /** Format: uuid */
            chunk_id: string;
            /** @enum {string} */
            content_type: "text" | "table" | "list" | "heading";
            /** @description The document's filename. */
            document: string;
            /** Format: uuid */
            document_id: string;
            last_page_number: number;
            page_number: number;
            score: number;
            section_heading: string | null;
            /** @description Offsets of the best sentence in the snippet. */
            sentence?: components["schemas"]["MatchRange"] | null;
            snippet: string;
            title: string | null;
        };
        /** @description A new collection. */
        CollectionCreate: {
            /** @default  */
            description: string;
            /**
             * @description True: every user has access. False: only members and administrators.
             * @default true
             */
            is_open: boolean;
            name: string;
        };
        /** @description The collection of a document. */
        CollectionRef: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        /** @description A group of documents with its own access rules. */
        CollectionResponse: {
            /** @description True if the caller may add documents. */
            can_write: boolean;
            /** Format: date-time */
            created_at: string;
            description: string;
            /** @description Documents in the caller's scope, without the trash. */
            document_count: number;
            /** Format: uuid */
            id: string;
            is_default: boolean;
            is_open: boolean;
            name: string;
        };
        /** @description Fields to change. Absent fields stay as they are. */
        CollectionUpdate: {
            description?: string | null;
            /** @description True: uploads without a collection go here. */
            is_default?: boolean | null;
            is_open?: boolean | null;
            name?: string | null;
        };
        /** @description A column of a table. */
        ColumnOfTable: {
            /** @description Share of non-empty cells, 0..1. */
            density: number;
            /** @description number, date, boolean, text or empty. */
            kind: string;
            name: string;
        };
        /**
         * @description The sandbox of the processes that open uploaded files, as tested on the API's machine.
         *
         *     `network`: no sockets. `writing`: no file is written, changed or removed. `reading`: only the given file and the
         *     interpreter's own files. `programs`: no program is started, and only Tesseract by text recognition. `processes`: no
         *     process is started, signalled, traced or limited. `kernel`: no shared memory, namespaces, mounts or other kernel
         *     interfaces. `privileges`: no capabilities. Memory and time are always limited.
         *     `landlock` and `seccomp` are what the kernel said: `unsupported` by it or on this architecture, or `refused`.
         */
        ConfinementFacts: {
            kernel: boolean;
            landlock: components["schemas"]["Enforcement"];
            network: boolean;
            privileges: boolean;
            processes: boolean;
            programs: boolean;
            reading: boolean;
            seccomp: components["schemas"]["Enforcement"];
            writing: boolean;
        };
        /** @description A part of a message. Only parts of type `text` can be read. */
        ContentPart: {
            text?: string | null;
            type: string;
        };
        /** @description A range of the document's text. */
        ContentResponse: {
            /** @description Characters of the whole text. */
            char_count: number;
            char_end: number;
            char_start: number;
            /** Format: uuid */
            document_id: string;
            /** @description `char_start` of the next request. Null at the end. */
            next_char_start: number | null;
            text: string;
        };
        /**
         * @description The answer to whether Office files can be converted on this machine.
         * @enum {string}
         */
        ConverterStatus: "available" | "not_installed" | "not_confined";
        /** @description Copies in the caller's scope: identical files first, then by the number of shared chunks. */
        CopiesResponse: {
            items: components["schemas"]["CopyResponse"][];
        };
        /** @description Passage of a copy: the same file in another collection or under another name. */
        CopyPlace: {
            /** Format: uuid */
            chunk_id: string;
            collection: string;
            /** @description The copy's filename. */
            document: string;
            /** Format: uuid */
            document_id: string;
            page_number: number;
            title: string | null;
        };
        /** @description A document with the same file or mostly the same chunks. */
        CopyResponse: {
            /** @description Distinct chunks of the requested document. */
            chunk_count: number;
            collection: components["schemas"]["CollectionRef"];
            /** Format: date-time */
            created_at: string;
            filename: string;
            /** Format: uuid */
            id: string;
            /** @description True if the files are identical. */
            is_exact: boolean;
            /** @description Distinct chunks that both documents have. */
            shared_chunk_count: number;
            title: string | null;
        };
        /** @description The searched part of the documents in scope. */
        Coverage: {
            documents_failed: number;
            documents_in_scope: number;
            documents_processing: number;
            documents_searched: number;
            pages_unreadable: number;
            /** @description Share of passages with an embedding, 0..1. */
            share_embedded: number;
        };
        /** @description One attempt to send an event. */
        DeliveryResponse: {
            /** Format: date-time */
            at: string;
            attempt: number;
            cursor: number | null;
            /** @description Null if the endpoint accepted it. `http_STATUS`, `no_answer`, `no_connection`, `connection_broken`, `certificate_invalid`, or a code of the errors, such as `host_refused`. */
            error: string | null;
            /** Format: uuid */
            event_id: string;
            event_type: string;
            id: number;
            milliseconds: number;
            status_code: number | null;
        };
        /** @description The most frequent language of a text, or null if unknown. */
        DetectedLanguage: {
            /** @description Share of the parts in this language, 0..1. */
            confidence: number;
            language: string | null;
            name: string | null;
            votes: components["schemas"]["LanguageVote"][];
        };
        /** @description The disk of the data folder. */
        DiskFacts: {
            free_bytes: number;
            is_low: boolean;
            total_bytes: number;
        };
        /** @description Why processing failed or was cancelled. */
        DocumentError: {
            code: string;
            /** @description Limits and numbers by name, such as `max_pages`. */
            details: {
                [key: string]: unknown;
            } | null;
            hint: string | null;
            message: string;
        };
        /** @description Conditions that documents must all meet. Unknown tags and collections are errors. */
        DocumentFilter: {
            /** @description Any of these collections, by id or name. */
            collections?: string[];
            /** @description Any of these media types, such as `application/pdf`. */
            content_type?: string[];
            created_from?: string | null;
            /** @description Exclusive upper bound. */
            created_to?: string | null;
            /**
             * @description True: only documents in the trash. False: only documents outside it.
             * @default false
             */
            is_deleted: boolean;
            /**
             * @description Only documents of collections that the caller does not read, shared by a grant.
             * @default false
             */
            is_shared_with_me: boolean;
            /**
             * @description Only documents without tags.
             * @default false
             */
            is_untagged: boolean;
            language?: string[];
            /** @description Part of the filename or the title. */
            q?: string | null;
            status?: ("queued" | "processing" | "ready" | "failed")[];
            /** @description Any of these tags, by id or name. */
            tags?: string[];
            /** @description All of these tags. */
            tags_all?: string[];
            /** @description None of these tags. */
            tags_none?: string[];
        };
        /** @description The owner of a document, its collection, and the people with a grant. Administrators read it too. */
        DocumentGrantsResponse: {
            collection: string;
            grants: components["schemas"]["GrantResponse"][];
            /** @description True: everybody with an account reads the collection. */
            is_collection_open: boolean;
            /** @description Null for watched folders, and once the account is deleted. */
            owner: components["schemas"]["OwnerResponse"] | null;
            tag_shares: components["schemas"]["TagShareResponse"][];
        };
        /** @description A job with the filename of its document. */
        DocumentJobResponse: {
            /** @description Tries since the last stored progress. */
            attempts: number;
            /** @description New chunks, which must be embedded. */
            chunks_added: number | null;
            chunks_embedded: number | null;
            /** @description Chunks removed when the job succeeds. */
            chunks_removed: number | null;
            chunks_to_embed: number | null;
            /** @description Chunks kept from the previous content, with their embeddings. */
            chunks_unchanged: number | null;
            /** @description Tries that ended their worker. */
            crashes: number;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            document_id: string;
            error_code: string | null;
            /** @description Limits and numbers of the failure. */
            error_details: {
                [key: string]: unknown;
            } | null;
            error_hint: string | null;
            error_message: string | null;
            filename: string;
            finished_at: string | null;
            /** @description The last heartbeat of the worker. */
            heartbeat_at: string | null;
            /** Format: uuid */
            id: string;
            kind: string;
            /** @description The job fails after this many crashes. */
            max_attempts: number;
            /** @description Time of the next try after a transient error. */
            next_try_at: string | null;
            /** @description The page that extraction has reached. */
            page: number | null;
            page_count: number | null;
            priority: number;
            /** @description 1 only when the document is ready. */
            progress: number;
            stage: ("extract" | "chunk" | "index" | "embed") | null;
            started_at: string | null;
            /** @enum {string} */
            state: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description Duration of each stage. */
            timings_seconds: {
                [key: string]: number;
            };
            /** @description The version that it makes; null if it reprocesses the current one. */
            version: number | null;
        };
        /** @description API paths of a document and of a place in it. */
        DocumentLinks: {
            document: string;
            original: string;
            page: string;
            rectangles: string;
        };
        /** @description An uploaded file with its metadata and state. */
        DocumentResponse: {
            /** @description Further names that find the document in filters and tools. Given ones replace those of the file. */
            aliases: string[];
            chunk_count: number;
            collection: components["schemas"]["CollectionRef"];
            content_type: string;
            /** Format: date-time */
            created_at: string;
            created_by: string;
            /** @description Since when the document is in the trash. */
            deleted_at: string | null;
            embedded_chunk_count: number;
            error: components["schemas"]["DocumentError"] | null;
            filename: string;
            /** @description Whether `is_printed=true` of `/original` and `/rectangles` works: an Office file, and LibreOffice is on the server. `/pages/{page_number}/image` draws printed pages then. */
            has_printed_pages: boolean;
            /** Format: uuid */
            id: string;
            /** @description True: the caller is the person who owns it, and may share it. */
            is_owner: boolean;
            /** @description Since when the document is searchable by keyword. */
            keyword_ready_at: string | null;
            language: string | null;
            /** @description A newer version that is not complete or failed. The current version stays in use. */
            newer_version: components["schemas"]["PendingVersion"] | null;
            page_count: number | null;
            /** @description Whether `/pages/{page_number}/image` can draw pages: `available`, `locked` (the file needs a password) or `none` (no PDF or picture, or not processed yet). */
            page_images: components["schemas"]["PageImageStatus"];
            progress: components["schemas"]["Progress"] | null;
            /** @description Since when all its chunks are searchable by meaning too. */
            ready_at: string | null;
            sha256: string;
            size_bytes: number;
            /** @enum {string} */
            status: "queued" | "processing" | "ready" | "failed";
            tags: string[];
            title: string | null;
            unreadable_page_count: number;
            /** Format: date-time */
            updated_at: string;
            /** @description The current version, which searches and downloads use. */
            version: number;
        };
        /** @description Counts over the full text of a document. */
        DocumentStats: {
            character_count: number;
            /** @description The document's filename. */
            document: string;
            /** Format: uuid */
            document_id: string;
            /** @description For a term of one word: words of the text that differ in the ending, such as its plural. */
            other_forms: components["schemas"]["FormCount"][];
            page_count: number;
            term: string | null;
            /** @description Whole words; case, accents and line breaks are ignored. */
            term_count: number | null;
            term_pages: components["schemas"]["PageCount"][] | null;
            word_count: number;
        };
        /** @description Fields to change. Absent fields stay as they are. */
        DocumentUpdate: {
            /** @description Replaces all aliases. Null takes those of the file, such as its `ticker` and `company`. */
            aliases?: string[] | null;
            /** @description Id or name of the target collection. */
            collection?: string | null;
            filename?: string | null;
            /** @description The document is reprocessed in this language. Null detects it. */
            language?: string | null;
            /** @description Replaces all tags. New names create tags. */
            tags?: string[] | null;
            /** @description Null or blank removes it. Reprocessing then takes the one in the file. */
            title?: string | null;
        };
        /** @description The active model, and every generation in the database. */
        EmbeddingsFacts: {
            dimensions: number;
            embedded_chunks: number;
            embedding_model: string;
            fingerprint: string;
            generations: components["schemas"]["GenerationFacts"][];
        };
        /**
         * @description The answer of the kernel to a layer of the sandbox.
         * @enum {string}
         */
        Enforcement: "enforced" | "unsupported" | "refused";
        /** @description The secret to add to an authenticator app. */
        EnrolmentResponse: {
            /** @description In base32, to type. */
            secret: string;
            /** @description An `otpauth` URI, for a QR code. */
            uri: string;
        };
        /** @description A figure that is in the quoted place of a document. */
        EvidenceCell: {
            char_end: number;
            char_start: number;
            /** Format: uuid */
            chunk_id: string;
            /** @description The document's filename. */
            document: string;
            /** Format: uuid */
            document_id: string;
            highlights: components["schemas"]["PageHighlight"][];
            /** @description Named by the calculation. */
            id: string;
            label: string;
            links: components["schemas"]["DocumentLinks"];
            /** @description The number in full, as a decimal: 41.2 million is 41200000. */
            number: string;
            page_number: number;
            /** @description Such as 2024. Empty if unknown. */
            period: string;
            /** @description The sentence or row that has the figure. */
            quote: string;
            /** @description Such as thousand or million. Empty without one. */
            scale: string;
            /** @description The search that it answers, such as `q1`. */
            search: string;
            /** @description Such as EUR, % or day. Empty if unknown. */
            unit: string;
            /** @description As written in the document. */
            value: string;
        };
        /** @description A feature that the ranker reads, and what it adds to the score of the hit. */
        ExplainedFeature: {
            contribution: number;
            meaning: string;
            name: string;
            value: number;
        };
        /** @description A term of the query. Only unrestricted principals see `idf` and `chunk_count`. */
        ExplainedTerm: {
            chunk_count?: number | null;
            idf?: number | null;
            /**
             * @description From a synonym in `metadata.expansions`, or a translation.
             * @default false
             */
            is_expansion: boolean;
            is_matched: boolean;
            term: string;
        };
        /** @description The calculation of a hit's score. */
        Explanation: {
            /** @description What the ranker reads, the largest contribution first. Empty if reciprocal rank fusion ranked. */
            features: components["schemas"]["ExplainedFeature"][];
            /**
             * @description The ranker is fitted to this library (`lectern eval fit`).
             * @default false
             */
            is_fitted: boolean;
            /** @description The query has no words in the chunk's language. */
            is_unmatched_language: boolean;
            /** @description BM25; for unrestricted principals. */
            keyword_score?: number | null;
            /** @description Rank by the reranker. */
            rerank_rank?: number | null;
            /** @description Score of the reranker; only the order counts. */
            rerank_score?: number | null;
            /** @description Share of the best hit's score, 0 to 1. */
            share: number;
            /** @description Cosine similarity of the query and the nearest window. */
            similarity: number | null;
            terms: components["schemas"]["ExplainedTerm"][];
        };
        /** @description Optional features of file processing. */
        ExtractsFeatures: {
            reranking: boolean;
            text_recognition: boolean;
        };
        /** @description State of file processing. */
        ExtractsHealth: {
            /** @description Files in process. */
            active: number;
            caches: components["schemas"]["CacheFacts"][];
            /**
             * @description Device of the embedding model.
             * @enum {string}
             */
            device: "cpu" | "remote";
            dimensions: number;
            embedding_model: string;
            features: components["schemas"]["ExtractsFeatures"];
            formats: string[];
            ocr_engine: string;
            security: components["schemas"]["ExtractsSecurity"];
            /**
             * Format: date-time
             * @description Start of this process.
             */
            started_at: string;
            /** @constant */
            status: "ok";
            /** Format: date-time */
            timestamp: string;
            version: string;
        };
        /** @description The limits of file processing. */
        ExtractsSecurity: {
            /** @description True if LECTERN_FETCH_ALLOWED lists any. */
            fetches_private_addresses: boolean;
            max_file_bytes: number;
            max_seconds: number;
            /** @description Restrictions that the sandbox lacks here. Null if unknown. */
            unenforced: string[] | null;
        };
        /** @description Your verdict on an answer. */
        Feedback: {
            /** @description The page with the answer. For `helpful` it defaults to the first citation. */
            right?: components["schemas"]["RightPage"] | null;
            /** @description Null removes the verdict. */
            verdict: ("helpful" | "wrong") | null;
        };
        /** @description The saved verdict. */
        FeedbackResponse: {
            golden_query_id: string | null;
            /** Format: uuid */
            id: string;
            verdict: ("helpful" | "wrong") | null;
        };
        /** @description One invalid field. */
        FieldProblem: {
            /** @description The violated rule. */
            code: string;
            /** @description Path of the field, which starts with `body`, `query`, `path`, `header` or `cookie`. */
            field: string;
            /** @description The limits of the rule, if it has any. */
            limit?: {
                [key: string]: unknown;
            } | null;
            message: string;
        };
        /** @description Metadata of a file. */
        FileFacts: {
            character_count: number;
            content_type: string;
            filename: string;
            language: string | null;
            /** @description Mean confidence of recognized pages and images, 0..1. */
            ocr_confidence: number | null;
            page_count: number;
            sha256: string;
            size_bytes: number;
            title: string | null;
        };
        /** @description The directory to bind a collection to. */
        FolderBinding: {
            /** @description Absolute path on the machine of the API and the workers. */
            path: string;
        };
        /** @description The result of a scan or dry run. Lists have the first hundred files; the counts are complete. */
        FolderOutcome: {
            /**
             * @description New files, added as documents.
             * @default []
             */
            added: string[];
            /** @default 0 */
            added_count: number;
            /** @description Reason why missing files were not moved to the trash. */
            held_back?: string | null;
            /** @description Code of this reason: `device_changed`, `part_unreadable`, `all_missing` or `many_missing`. */
            held_back_code?: string | null;
            /**
             * @description Values in this reason.
             * @default {}
             */
            held_back_values: {
                [key: string]: string | number;
            };
            is_dry_run: boolean;
            /** @description Reason why the scan failed. */
            problem?: string | null;
            /** @description Code of the error that made the scan fail. */
            problem_code?: string | null;
            /**
             * @description Missing files: their documents go to the trash.
             * @default []
             */
            pruned: string[];
            /** @default 0 */
            pruned_count: number;
            /**
             * @description Files that the library refuses.
             * @default []
             */
            refused: components["schemas"]["RefusedPath"][];
            /** @default 0 */
            refused_count: number;
            /**
             * @description Moved files: their documents stay.
             * @default []
             */
            renamed: components["schemas"]["RenamedFile"][];
            /** @default 0 */
            renamed_count: number;
            /** @default 0 */
            seconds: number;
            /** @default 0 */
            unchanged_count: number;
            /**
             * @description Changed files: their documents get a new version.
             * @default []
             */
            updated: string[];
            /** @default 0 */
            updated_count: number;
        };
        /** @description The directory of a collection, and the result of the last scan. */
        FolderResponse: {
            /** Format: uuid */
            collection_id: string;
            file_count: number;
            is_scan_requested: boolean;
            last_outcome: components["schemas"]["FolderOutcome"] | null;
            last_scan_at: string | null;
            path: string;
        };
        /** @description Options of a scan. */
        FolderScan: {
            /**
             * @description Accept all missing files as deleted, however many.
             * @default false
             */
            confirm_prune: boolean;
            /**
             * @description Return the changes without making them.
             * @default false
             */
            dry_run: boolean;
        };
        /** @description Number of occurrences of a word. */
        FormCount: {
            count: number;
            word: string;
        };
        /** @description A supported format. */
        FormatFacts: {
            content_type: string;
            name: string;
            suffixes: string[];
        };
        /** @description All supported formats. */
        FormatsResponse: {
            formats: components["schemas"]["FormatFacts"][];
        };
        /** @description A row of a table. */
        FoundTableRow: {
            page_number: number;
            /** @description Row number below the header, from 1. */
            row_number: number;
            /** @description 1: a cell equals the query. 0.9: the row contains it. Below: some of its words. */
            score: number;
            table: string;
            values: {
                [key: string]: string;
            };
        };
        /**
         * @description The embeddings of one model.
         *
         *     `is_set`: its model is configured. Only these embeddings can be used and are kept up to date.
         *     `embedded_chunks` is null for the others. `ranker`: what orders its searches. `outdated`: a fitted one is
         *     stored for another version, so the shipped one is used.
         */
        GenerationFacts: {
            activated_at: string | null;
            dimensions: number;
            embedded_chunks: number | null;
            embedding_model: string;
            fingerprint: string;
            id: number;
            is_set: boolean;
            /** @enum {string} */
            ranker: "shipped" | "fitted" | "outdated";
            /** @enum {string} */
            state: "filling" | "active" | "retired";
        };
        /** @description A golden query. */
        GoldenQueryResponse: {
            /** @description Null for a whole page, and if the document no longer has the chunk. */
            chunk?: components["schemas"]["GoldenRange"] | null;
            /** Format: date-time */
            created_at: string;
            created_by: string;
            /** @description The document's filename. */
            document: string;
            /** Format: uuid */
            document_id: string;
            /** Format: uuid */
            id: string;
            /**
             * @description True if a chunk was marked, false for a whole page.
             * @default false
             */
            is_chunk: boolean;
            /** @description Time of that run; null before the first, and without access to the whole library. */
            last_asked_at?: string | null;
            /** @description Rank of the page in the last `/evaluations/run`; null if not in the first 20. */
            last_rank?: number | null;
            page_number: number;
            query: string;
        };
        /** @description The marked chunk, with its offsets in the document's text. */
        GoldenRange: {
            char_end: number;
            char_start: number;
            /** Format: uuid */
            chunk_id: string;
        };
        /** @description The person to share with. */
        GrantCreate: {
            /** @description The address with which the person signs in. It need not have an account yet. */
            email: string;
        };
        /** @description Read access of one person to one document. */
        GrantResponse: {
            email: string;
            /** Format: date-time */
            granted_at: string;
            /** Format: uuid */
            id: string;
        };
        /** @description A collection that a group gives access to. */
        GroupCollection: {
            /** @default false */
            can_write: boolean;
            /** Format: uuid */
            collection_id: string;
        };
        /** @description A group of the identity provider, with the role and the collections that it gives. */
        GroupMapping: {
            /** @default [] */
            collections: components["schemas"]["GroupCollection"][];
            /** @description As the identity provider sends it. Upper and lower case differ. */
            name: string;
            /** @description Null: the group gives collections only. */
            role?: ("admin" | "editor" | "reader") | null;
        };
        /** @description The process is alive. */
        Health: {
            /**
             * @default ok
             * @constant
             */
            status: "ok";
        };
        /** @description The rectangles of a text range by page. */
        HighlightsResponse: {
            highlights: components["schemas"]["PageHighlight"][];
        };
        /** @description A passage that matches the query. */
        Hit: {
            /**
             * @description With `context` or `fold`: the passages after it.
             * @default []
             */
            after: components["schemas"]["Neighbour"][];
            /**
             * @description The same passage in copies of the document.
             * @default []
             */
            also_in: components["schemas"]["CopyPlace"][];
            /**
             * @description With `context` or `fold`: the passages before it.
             * @default []
             */
            before: components["schemas"]["Neighbour"][];
            char_end: number;
            char_start: number;
            /** Format: uuid */
            chunk_id: string;
            chunk_index: number;
            collection: string;
            /** @enum {string} */
            content_type: "text" | "table" | "list" | "heading";
            /** @description The document's filename. */
            document: string;
            /** Format: uuid */
            document_id: string;
            explain?: components["schemas"]["Explanation"] | null;
            highlights: components["schemas"]["PageHighlight"][];
            importance: number;
            /** @description Rank by keyword. Null: not among its candidates. */
            keyword_rank: number | null;
            /** @description Empty if it is none of the configured ones. */
            language: string;
            last_page_number: number;
            links: components["schemas"]["DocumentLinks"];
            /** @description Availability of page images, as in `/documents/{id}`. */
            page_images: components["schemas"]["PageImageStatus"];
            page_number: number;
            /** @description Probability that this passage answers, 0..1. Without confidence: share of the best score. */
            score: number;
            section_heading: string | null;
            /** @description The headings above it, the outermost first. */
            section_path: string[];
            /** @description Rank by meaning. Null: not among its candidates. */
            semantic_rank: number | null;
            /** @description Null if the snippet has no word of the query. */
            sentence: components["schemas"]["SentenceView"] | null;
            snippet: components["schemas"]["SnippetView"];
            tags: string[];
            text: string;
            title: string | null;
            token_count: number;
        };
        /** @description An image that shows text, with the confidence of its recognition (0..1). */
        ImageOfFile: {
            confidence: number;
            page_number: number;
            text: string;
        };
        /** @description Options for reprocessing a document. */
        IngestRequest: {
            /** @description Password of an encrypted file. It is deleted after processing. */
            password?: string | null;
        };
        /** @description A key to introspect. */
        IntrospectRequest: {
            /** @description Address of the caller who sent the key. */
            client?: string | null;
            /** Format: password */
            key: string;
        };
        /**
         * @description Groups of job states for lists.
         * @enum {string}
         */
        JobGroup: "needs_attention" | "in_progress" | "done";
        /** @description Options of the next try. */
        JobRetry: {
            /** @description Password of a protected file. */
            password?: string | null;
        };
        /** @description The permissions of a valid key. Only `is_active` is set for an invalid one. */
        KeyIntrospection: {
            can_write?: boolean | null;
            expires_at?: string | null;
            is_active: boolean;
            name?: string | null;
            /**
             * @description Value of X-Lectern-Principal. It names the secret: a rotated key has two.
             * @example key:6f9619ff-8b86-4d01-b42d-00cf4fc964ff:lk_1a2b3c4d
             */
            principal?: string | null;
            toolsets?: string[] | null;
            /** @description Address of the web UI, for links to documents. */
            web_url?: string | null;
        };
        /** @description The rules for keys of this installation. */
        KeyPolicyResponse: {
            /** @description Longest lifetime of a key. Null: keys need no expiry. */
            max_days: number | null;
            toolsets: components["schemas"]["ToolsetResponse"][];
        };
        /** @description The result of a call through the MCP service. */
        KeyTestResponse: {
            /** @description The tool that was called. Null: the key sees none that is cheap. */
            called_tool: string | null;
            /** @description Duration of the call. */
            latency_ms: number | null;
            /** @description The tools that the service showed. */
            tools: string[];
            /** @description Address of the MCP service that was called. */
            url: string;
        };
        /** @description The current permissions of a key, and counts of what it sees. */
        KeyViewResponse: {
            can_write: boolean;
            collection_count: number;
            document_count: number;
            /** @description Operations of the REST API, by `operationId`. */
            operations: string[];
            tag_count: number;
            /** @description Tools of the MCP service, if it offers them. */
            tools: string[];
            toolsets: string[];
        };
        /** @description A text. */
        LanguageRequest: {
            text: string;
        };
        /** @description A language and its share of the text's parts. */
        LanguageVote: {
            /** @description ISO 639-1. */
            language: string;
            name: string;
            share: number;
        };
        /** @description Counts of the library. `documents` counts by status, without the trash. */
        LibraryFacts: {
            chunks: number;
            collections: number;
            documents: {
                [key: string]: number;
            };
            pages: number;
            tags: number;
            trashed_documents: number;
            users: number;
        };
        /** @description A matched word, as character offsets in the snippet's text. */
        MatchRange: {
            end: number;
            start: number;
        };
        /** @description The address of the MCP service for agents. */
        McpAddressResponse: {
            url: string;
        };
        /** @description A mean over questions with its 95 % interval. */
        Measure: {
            high: number;
            low: number;
            value: number;
        };
        /** @description A member of a closed collection. */
        MemberResponse: {
            can_write: boolean;
            email: string;
            /** @description True: a group of the identity provider gives the access. */
            is_from_group: boolean;
            name: string;
            /** Format: uuid */
            user_id: string;
        };
        /** @description The permissions of a member. */
        MemberUpdate: {
            /** @default false */
            can_write: boolean;
        };
        /** @description A golden query with a changed rank, null if not in the first 20. */
        MovedQuestion: {
            document: string;
            query: string;
            rank_after: number | null;
            rank_before: number | null;
        };
        /** @description A passage before or after a hit in its document. */
        Neighbour: {
            /** Format: uuid */
            chunk_id: string;
            chunk_index: number;
            last_page_number: number;
            page_number: number;
            section_heading: string | null;
            text: string;
            token_count: number;
        };
        /** @description A query and the page that answers it. */
        NewGoldenQuery: {
            /** @description The chunk on the page; null for the whole page. */
            chunk_id?: string | null;
            /** @description Id or filename. */
            document: string;
            page_number: number;
            query: string;
        };
        /** @description A note at a range of the document's text, of at most 5,000 characters. */
        NoteCreate: {
            char_end: number;
            char_start: number;
            /**
             * @description Whether everybody who sees the document sees the note.
             * @default false
             */
            is_shared: boolean;
            text: string;
        };
        /** @description A note with the document that it is in. */
        NoteMatch: {
            author_name: string;
            char_end: number;
            char_start: number;
            /** Format: date-time */
            created_at: string;
            /** @description The document's title, or else its filename. */
            document: string;
            /** Format: uuid */
            document_id: string;
            /** Format: uuid */
            id: string;
            is_mine: boolean;
            /** @description True if the document has a newer version. */
            is_outdated: boolean;
            is_shared: boolean;
            page_number: number;
            /** @description The words of the document at the range. */
            quote: string;
            text: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
        };
        /** @description A note. Its range refers to the text of `version`. */
        NoteResponse: {
            author_name: string;
            char_end: number;
            char_start: number;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            is_mine: boolean;
            /** @description True if the document has a newer version. */
            is_outdated: boolean;
            is_shared: boolean;
            page_number: number;
            /** @description The words of the document at the range. */
            quote: string;
            text: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
        };
        /** @description The notes with the most words of the query first, then the last changed. */
        NoteSearchResponse: {
            items: components["schemas"]["NoteMatch"][];
            total: number;
        };
        /** @description Changes to a note. What is left out stays. */
        NoteUpdate: {
            /** @description Whether everybody who sees the document sees the note. */
            is_shared?: boolean | null;
            text?: string | null;
        };
        /**
         * @description Action of an upload if its collection has a document with the same filename.
         * @enum {string}
         */
        OnSameName: "keep_both" | "new_version";
        /** @description An error as clients of OpenAI's API expect it. */
        OpenAIError: {
            /** @description The code of a problem, or the violated rule of the field. */
            code: string;
            /** @description What failed, and the hint. */
            message: string;
            /** @description The invalid field. */
            param: string | null;
            type: string;
        };
        /** @description The body of an error of the OpenAI-compatible API. */
        OpenAIErrorResponse: {
            error: components["schemas"]["OpenAIError"];
        };
        /** @description A heading and its page. */
        OutlineHeading: {
            level: number;
            page_number?: number | null;
            title: string;
        };
        /** @description The outline in the file, or else the detected headings. */
        OutlineResponse: {
            items: components["schemas"]["OutlineHeading"][];
        };
        /** @description The account that owns a document or tag. */
        OwnerResponse: {
            email: string;
            name: string;
        };
        /** @description The account that becomes the owner. */
        OwnerUpdate: {
            email: string;
        };
        /** @description Counts of what has a new owner. Nothing the second time. */
        OwnershipTransferred: {
            /** @description Including those in the trash. */
            documents: number;
            tags: number;
        };
        /** @description Number of occurrences of the term on a page. */
        PageCount: {
            count: number;
            page_number: number;
        };
        /** @description A page without its text. */
        PageEntry: {
            char_count: number;
            /** @description Offset of the page's text in the document's text. */
            char_start: number;
            chunk_count: number;
            height_points: number;
            /** @enum {string} */
            kind: "text" | "table" | "toc" | "ocr" | "empty" | "unreadable";
            language: string | null;
            note: string | null;
            page_number: number;
            width_points: number;
        };
        /** @description The rectangles of a text range on one page. Empty if the format has no geometry. */
        PageHighlight: {
            page_number: number;
            rects: components["schemas"]["RectangleResponse"][];
        };
        /**
         * @description Availability of page images. `LOCKED` files need a password, which is never stored.
         * @enum {string}
         */
        PageImageStatus: "available" | "locked" | "none";
        /** @description A page (slide, sheet). `text` begins at `char_start`. Headings begin with `#`, once for each level. */
        PageOfFile: {
            char_start: number;
            character_count: number;
            is_truncated: boolean;
            /** @enum {string} */
            kind: "text" | "table" | "toc" | "ocr" | "empty" | "unreadable";
            note: string | null;
            /** @description Confidence of text recognition, 0..1. Null without it. */
            ocr_confidence: number | null;
            page_number: number;
            text: string;
        };
        /** @description A page with its text. */
        PageResponse: {
            char_count: number;
            /** @description Offset of the page's text in the document's text. */
            char_start: number;
            chunk_count: number;
            height_points: number;
            /** @enum {string} */
            kind: "text" | "table" | "toc" | "ocr" | "empty" | "unreadable";
            language: string | null;
            note: string | null;
            page_number: number;
            text: string;
            width_points: number;
            /** @description Null unless requested. */
            words?: components["schemas"]["PageWord"][] | null;
        };
        /** @description A word of a page: its characters in the page's text, and its rectangle. */
        PageWord: {
            end: number;
            h: number;
            /** @description Number of its line, or of its cell in a table. */
            line: number;
            start: number;
            w: number;
            x: number;
            y: number;
        };
        Page_ApiKeyResponse_: {
            items: components["schemas"]["ApiKeyResponse"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            next_cursor?: string | null;
            /** @description Number of items on all pages. */
            total: number;
        };
        Page_AuditEventResponse_: {
            items: components["schemas"]["AuditEventResponse"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            next_cursor?: string | null;
            /** @description Number of items on all pages. */
            total: number;
        };
        Page_ChunkResponse_: {
            items: components["schemas"]["ChunkResponse"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            next_cursor?: string | null;
            /** @description Number of items on all pages. */
            total: number;
        };
        Page_CollectionResponse_: {
            items: components["schemas"]["CollectionResponse"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            next_cursor?: string | null;
            /** @description Number of items on all pages. */
            total: number;
        };
        Page_DeliveryResponse_: {
            items: components["schemas"]["DeliveryResponse"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            next_cursor?: string | null;
            /** @description Number of items on all pages. */
            total: number;
        };
        Page_DocumentJobResponse_: {
            items: components["schemas"]["DocumentJobResponse"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            next_cursor?: string | null;
            /** @description Number of items on all pages. */
            total: number;
        };
        Page_DocumentResponse_: {
            items: components["schemas"]["DocumentResponse"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            next_cursor?: string | null;
            /** @description Number of items on all pages. */
            total: number;
        };
        Page_GoldenQueryResponse_: {
            items: components["schemas"]["GoldenQueryResponse"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            next_cursor?: string | null;
            /** @description Number of items on all pages. */
            total: number;
        };
        Page_NoteResponse_: {
            items: components["schemas"]["NoteResponse"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            next_cursor?: string | null;
            /** @description Number of items on all pages. */
            total: number;
        };
        Page_PageEntry_: {
            items: components["schemas"]["PageEntry"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            next_cursor?: string | null;
            /** @description Number of items on all pages. */
            total: number;
        };
        Page_SavedAnswerEntry_: {
            items: components["schemas"]["SavedAnswerEntry"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            next_cursor?: string | null;
            /** @description Number of items on all pages. */
            total: number;
        };
        Page_TagResponse_: {
            items: components["schemas"]["TagResponse"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            next_cursor?: string | null;
            /** @description Number of items on all pages. */
            total: number;
        };
        Page_TextMatch_: {
            items: components["schemas"]["TextMatch"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            next_cursor?: string | null;
            /** @description Number of items on all pages. */
            total: number;
        };
        Page_ThreadEntry_: {
            items: components["schemas"]["ThreadEntry"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            next_cursor?: string | null;
            /** @description Number of items on all pages. */
            total: number;
        };
        Page_UserResponse_: {
            items: components["schemas"]["UserResponse"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            next_cursor?: string | null;
            /** @description Number of items on all pages. */
            total: number;
        };
        Page_VersionResponse_: {
            items: components["schemas"]["VersionResponse"][];
            /** @description Send it as `cursor` for the next page. Null on the last page. */
            next_cursor?: string | null;
            /** @description Number of items on all pages. */
            total: number;
        };
        /** @description A new password. All other sessions of the user are revoked. */
        PasswordChange: {
            /** Format: password */
            current_password: string;
            /** Format: password */
            new_password: string;
            /**
             * @description True: also revoke the API keys of the user.
             * @default false
             */
            revoke_keys: boolean;
        };
        /** @description A version newer than the current one, that is processing, failed or cancelled. */
        PendingVersion: {
            /** Format: date-time */
            created_at: string;
            created_by: string;
            error: components["schemas"]["DocumentError"] | null;
            filename: string;
            number: number;
            /** @enum {string} */
            state: "processing" | "failed" | "cancelled";
        };
        /** @description Changes to evaluate: search settings, the embeddings of another model, or both. */
        PreviewRequest: {
            /** @description Id of the embeddings of another configured model; `/system` lists them. */
            embeddings?: number | null;
            /** @description New values by name, such as `ranker`; `/evaluations/settings` lists them. */
            settings?: {
                [key: string]: number | boolean | string;
            };
        };
        /** @description Effect of the changes on the golden queries. Nothing is applied. */
        PreviewResponse: {
            after: {
                [key: string]: components["schemas"]["Measure"];
            };
            /** @description Measures with the current settings. */
            before: {
                [key: string]: components["schemas"]["Measure"];
            };
            /** @description Environment variables that apply the settings after a restart. */
            environment: {
                [key: string]: string;
            };
            improved: components["schemas"]["MovedQuestion"][];
            message: string;
            /** @description Number of golden queries, newest first. */
            questions: number;
            regressed: components["schemas"]["MovedQuestion"][];
            unchanged: number;
        };
        /** @description The caller and its permissions. A list of ids that is null means no limit. */
        PrincipalResponse: {
            can_write: boolean;
            collection_ids: string[] | null;
            document_ids: string[] | null;
            /** @description False: the user signs in by single sign-on only. Null for a key. */
            has_password?: boolean | null;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "user" | "key";
            /** @description The e-mail address of a user, or the name of a key. */
            name: string;
            role: ("admin" | "editor" | "reader") | null;
            tag_ids: string[] | null;
            toolsets: string[];
            /** @description Address of the web UI, for links to documents. */
            web_url?: string | null;
        };
        /** @description A problem (RFC 9457). Programs should check `code`. Some codes add members. */
        Problem: {
            code: string;
            detail: string;
            /** @description The first invalid fields of a validation error. */
            errors?: components["schemas"]["FieldProblem"][] | null;
            /** @description Number of errors that are not listed in `errors`. */
            errors_omitted?: number | null;
            hint?: string | null;
            instance: string;
            request_id: string;
            status: number;
            title: string;
            /** @example urn:lectern:problem:document_not_found */
            type: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A file, and where its text begins. */
        ProcessRequest: {
            /**
             * @description First character. Above 0, only the text is returned.
             * @default 0
             */
            char_start: number;
            /** @description Bytes of the file in base64, instead of `url`. */
            content?: string | null;
            /** @description File name. Its extension tells text formats apart. */
            filename?: string | null;
            /** @description Password of a protected file. */
            password?: string | null;
            /** @description Public http(s) URL. */
            url?: string | null;
        };
        /** @description A processed file. `text` has at most 50,000 characters, from `char_start` on. Headings begin with `#`. */
        ProcessedDocument: {
            /** @description Characters of the whole text. */
            char_count: number;
            char_start: number;
            file: components["schemas"]["FileFacts"];
            /** @description Images among the text. Their text is part of `text` too. */
            images: components["schemas"]["ImageOfFile"][];
            is_truncated: boolean;
            outline: components["schemas"]["OutlineHeading"][];
            tables: components["schemas"]["TableOfFile"][];
            text: string;
            urls: components["schemas"]["UrlOfFile"][];
        };
        /** @description Progress and outcome of the latest job of a document. */
        Progress: {
            attempts: number;
            /** @description New chunks, which must be embedded. */
            chunks_added: number | null;
            chunks_embedded: number | null;
            /** @description Chunks removed when the job succeeds. */
            chunks_removed: number | null;
            chunks_to_embed: number | null;
            /** @description Chunks shared with the previous version, which keep their embeddings. */
            chunks_unchanged: number | null;
            /** @description Why the job failed, was cancelled, or waits for a retry. */
            error: components["schemas"]["DocumentError"] | null;
            finished_at: string | null;
            /** Format: uuid */
            job_id: string;
            kind: string;
            max_attempts: number;
            next_try_at: string | null;
            page: number | null;
            page_count: number | null;
            /** @description Progress from 0 to 1. It is 1 only when the document is ready. */
            share: number;
            /** @description `extract`, `chunk`, `index` or `embed`. */
            stage: string | null;
            started_at: string | null;
            /** @enum {string} */
            state: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description The version that the job creates. Null if it reprocesses the current version. */
            version: number | null;
        };
        /** @description The MCP service as a protected resource (RFC 9728). */
        ProtectedResourceMetadata: {
            authorization_servers: string[];
            /**
             * @default [
             *       "header"
             *     ]
             */
            bearer_methods_supported: string[];
            resource: string;
            /** @default Lectern */
            resource_name: string;
            scopes_supported: string[];
        };
        /** @description Rows and bytes that a purge deleted. */
        PurgeReceipt: {
            /** @description Audit events whose details are blank now. */
            blanked_event_count: number;
            /** @description Bytes of the rows by table without indexes, of `originals`, and of `conversions` made of them. */
            bytes: {
                [key: string]: number;
            };
            document_ids: string[];
            original_bytes: number;
            /** @description Deleted originals of all versions. Originals shared with another document stay. */
            original_count: number;
            /**
             * @description Where bytes stay: in database files and the write-ahead log until Postgres reuses the space, and in backups and exports made before.
             * @default [
             *       "database_files",
             *       "write_ahead_log",
             *       "backups"
             *     ]
             */
            retained_in: ("database_files" | "write_ahead_log" | "backups")[];
            /** @description Rows by table. */
            rows: {
                [key: string]: number;
            };
            /** @description Text of pages and chunks. */
            text_bytes: number;
        };
        /** @description A term of the query and the synonyms that were searched as well. */
        QueryExpansion: {
            synonyms: string[];
            term: string;
        };
        /** @description Queued, running and failed jobs. `workers` counts live worker processes. */
        QueueFacts: {
            failed: number;
            oldest_queued_at: string | null;
            queued: number;
            running: number;
            workers: number;
        };
        /**
         * @description A difference between the quotation and the document.
         *
         *     `missing`: the quotation omits these words. `added`: the document does not have them.
         */
        QuoteDifference: {
            found: string;
            /** @enum {string} */
            kind: "replaced" | "missing" | "added";
            quoted: string;
        };
        /** @description The quoted text in a document, or the text most similar to it. */
        QuoteLocation: {
            char_end: number;
            /** @description Offset in the document's text. */
            char_start: number;
            /** @description The document's filename. */
            document: string;
            /** Format: uuid */
            document_id: string;
            highlights: components["schemas"]["PageHighlight"][];
            last_page_number: number;
            links: components["schemas"]["DocumentLinks"];
            page_number: number;
            /** @description The document's exact text. */
            text: string;
            title: string | null;
        };
        /** @description The text that the quotation was compared with. */
        QuoteMetadata: {
            coverage: components["schemas"]["Coverage"];
            /** @description Number of documents whose text was compared. */
            documents_read: number;
            /** @description True if the whole text of the named documents was compared, else only pages found by a search. */
            is_whole_text: boolean;
        };
        /** @description A quotation and where to look for it. */
        QuoteRequest: {
            /**
             * @description Ids or names of collections to search.
             * @default []
             */
            collections: string[];
            /**
             * @description Ids or filenames of documents to search.
             * @default []
             */
            documents: string[];
            /** @description The quoted words. */
            quote: string;
            /** @description Names of tags. A plain list matches any of them. */
            tags?: components["schemas"]["TagFilter"];
        };
        /** @description The verdict and what to do next. */
        QuoteResponse: {
            data: components["schemas"]["QuoteVerdict"];
            message: string;
            metadata: components["schemas"]["QuoteMetadata"];
        };
        /** @description The result of a quote check. */
        QuoteVerdict: {
            differences: components["schemas"]["QuoteDifference"][];
            /** @description At most 20; one for NEAR. */
            locations: components["schemas"]["QuoteLocation"][];
            /** @description Share of equal words, 0..1; null for NOT_FOUND. */
            similarity: number | null;
            /** @enum {string} */
            verdict: "EXACT" | "NEAR" | "NOT_FOUND";
        };
        /** @description Result of the readiness checks. */
        Readiness: {
            checks: {
                [key: string]: "ok" | "failed";
            };
            /** @enum {string} */
            status: "ready" | "not_ready";
        };
        /** @description Recovery codes. Each signs in once if the app is not at hand. */
        RecoveryCodesResponse: {
            /** @description Save them now: only their hashes are stored. */
            recovery_codes: string[];
        };
        /** @description A rectangle in fractions (0 to 1) of the displayed page, with the origin at the top left. */
        RectangleResponse: {
            h: number;
            w: number;
            x: number;
            y: number;
        };
        /** @description A refresh token. Browsers send it as a cookie instead. */
        RefreshRequest: {
            refresh_token?: string | null;
        };
        /** @description Reason why nothing was calculated. */
        Refusal: {
            /** @enum {string} */
            code: "unreadable_expression" | "number_not_allowed" | "missing_cell" | "ambiguous_cell" | "currency_mismatch" | "percent_with_absolute" | "unit_mismatch" | "period_mismatch" | "period_order" | "division_by_zero";
            detail: string;
        };
        /** @description A file that the library refuses. */
        RefusedPath: {
            code: string;
            path: string;
        };
        /** @description A registered client. It is public: it has no secret and proves itself by PKCE. */
        RegisteredClient: {
            client_id: string;
            client_id_issued_at: number;
            client_name: string;
            /**
             * @default [
             *       "authorization_code",
             *       "refresh_token"
             *     ]
             */
            grant_types: string[];
            redirect_uris: string[];
            /**
             * @default [
             *       "code"
             *     ]
             */
            response_types: string[];
            /** @default none */
            token_endpoint_auth_method: string;
        };
        /** @description A figure of the model that is not used. */
        RejectedCell: {
            /** @enum {string} */
            code: "unknown_search" | "unknown_source" | "quote_not_found" | "instruction" | "no_figure" | "figure_not_in_quote" | "other_period" | "unclear_scale";
            detail: string;
            document: string | null;
            document_id: string | null;
            search: string;
        };
        /** @description A moved file. Its document keeps its id, tags and chunks. */
        RenamedFile: {
            new_path: string;
            old_path: string;
        };
        /** @description Result of reranking: `skipped` for a language it does not read, `failed` if the order is unchanged. */
        Reranking: {
            /** @description Number of passages that the model read. */
            chunks: number;
            model: string;
            reason: string | null;
            /** @enum {string} */
            state: "applied" | "skipped" | "failed";
        };
        /** @description A file and a question about it. */
        RetrievalRequest: {
            /** @description Bytes of the file in base64, instead of `url`. */
            content?: string | null;
            /** @description File name. Its extension tells text formats apart. */
            filename?: string | null;
            /** @description Password of a protected file. */
            password?: string | null;
            query: string;
            /**
             * @description Chunks wanted.
             * @default 5
             */
            top_k: number;
            /** @description Public http(s) URL. */
            url?: string | null;
        };
        /** @description The chunks of a file that match a question best, best first. */
        RetrievedChunks: {
            chunk_count: number;
            chunks: components["schemas"]["ChunkOfFile"][];
            embedding_model: string;
            file: components["schemas"]["FileFacts"];
            query: string;
            /** @description Null if the installation does not rerank. */
            reranking?: components["schemas"]["Reranking"] | null;
        };
        /** @description The page that answers the question. It becomes a golden query. */
        RightPage: {
            /** @description Id or filename. */
            document: string;
            page_number: number;
        };
        /** @description A spreadsheet and the words to find in its rows. */
        RowsRequest: {
            /** @description Bytes of the file in base64, instead of `url`. */
            content?: string | null;
            /** @description File name. Its extension tells text formats apart. */
            filename?: string | null;
            /**
             * @description Rows wanted.
             * @default 20
             */
            limit: number;
            /** @description Password of a protected file. */
            password?: string | null;
            /**
             * @description Value or words to find. Empty: the first rows.
             * @default
             */
            query: string;
            /** @description Name or number of the sheet. Default: all. */
            sheet?: string | null;
            /** @description Public http(s) URL. */
            url?: string | null;
        };
        /** @description Results of the golden queries with the current settings. */
        RunResponse: {
            /** @description Questions with their page among the first 20 hits. */
            found: number;
            measures: {
                [key: string]: components["schemas"]["Measure"];
            };
            /** @description Number of questions, newest first. */
            questions: number;
        };
        /** @description Number of sample documents, and how many are in the library. */
        SamplesResponse: {
            /** @description Number of sample documents. */
            document_count: number;
            /** @description True if this installation has sample documents. */
            is_available: boolean;
            /** @description Sample documents in the caller's scope, without the trash. */
            loaded_count: number;
        };
        /** @description A saved answer in a list. */
        SavedAnswerEntry: {
            answer: string;
            answer_found: boolean;
            citation_count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** @description True if a document it cites has changed since. Ask the question again. */
            is_outdated: boolean;
            /** @enum {string} */
            mode: "model" | "extractive" | "count";
            /** @enum {string} */
            outcome: "answered" | "closest_passages" | "nothing_found";
            question: string;
            /** Format: uuid */
            thread_id: string;
            verdict: ("helpful" | "wrong") | null;
        };
        /** @description A saved answer. */
        SavedAnswerResponse: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** @description True if a document it cites has changed since. Ask the question again. */
            is_outdated: boolean;
            response: components["schemas"]["AnswerResponse"];
            verdict: ("helpful" | "wrong") | null;
        };
        /** @description Facts about the whole search. */
        SearchMetadata: {
            /** @description Probability that a passage in the first 20 answers, 0..1; below 0.3 is low. Null: unknown. */
            confidence: number | null;
            coverage: components["schemas"]["Coverage"];
            /**
             * @description Empty if the query has no term with synonyms.
             * @default []
             */
            expansions: components["schemas"]["QueryExpansion"][];
            hybrid: boolean;
            /**
             * @description Served from the result cache. False for callers limited to tags or documents, or with shares.
             * @default false
             */
            is_cached: boolean;
            /** @description Null: not reranked. */
            reranking?: components["schemas"]["Reranking"] | null;
            returned: number;
            strategy: components["schemas"]["Strategy"];
            took_ms: components["schemas"]["Took"];
            top_k: number;
        };
        /** @description A query, its filters and the shape of the response. */
        SearchRequest: {
            /**
             * @description Search only these collections (ids or names).
             * @default []
             */
            collections: string[];
            /**
             * @description Add this many passages before and after each hit.
             * @default 0
             */
            context: number;
            /** @description Documents uploaded at or after this. */
            created_after?: string | null;
            /** @description Documents uploaded before this. */
            created_before?: string | null;
            /**
             * @description Search only these documents (ids or filenames).
             * @default []
             */
            documents: string[];
            /**
             * @description Add the score calculation to each hit.
             * @default false
             */
            explain: boolean;
            /**
             * @description Merge adjacent hits into the better one's `before` and `after`. Returns fewer hits.
             * @default false
             */
            fold: boolean;
            /**
             * @description True: keyword and semantic search. False: semantic search only.
             * @default true
             */
            hybrid: boolean;
            /** @description Documents in this language only (ISO 639). */
            language?: string | null;
            /**
             * @description For hits with few words of the query, center the snippet on the sentence nearest in meaning. Compares up to 60 sentences, about a second with a local model.
             * @default false
             */
            nearest_sentence: boolean;
            /** @description A question or keywords, in any language. */
            query: string;
            /**
             * @description Add the position of the snippet on its pages.
             * @default true
             */
            rectangles: boolean;
            /** @description Rerank the best passages. Null: the installation's default. */
            rerank?: boolean | null;
            /** @description Tag names. A plain list means any of them. */
            tags?: components["schemas"]["TagFilter"];
            /**
             * @description Number of hits.
             * @default 5
             */
            top_k: number;
        };
        /** @description Hits, best first, and what to do next. */
        SearchResponse: {
            data: components["schemas"]["Hit"][];
            message: string;
            metadata: components["schemas"]["SearchMetadata"];
        };
        /** @description A search setting. Apply a value with the environment variable and a restart. */
        SearchSettingResponse: {
            /** @description All possible values, if they are words. */
            choices: string[] | null;
            default: number | boolean | string;
            description: string;
            environment_variable: string;
            name: string;
            /** @description Current value. */
            value: number | boolean | string;
        };
        /** @description All search settings. */
        SearchSettingsResponse: {
            items: components["schemas"]["SearchSettingResponse"][];
        };
        /** @description A searched table and its matching rows. */
        SearchedTable: {
            columns: components["schemas"]["ColumnOfTable"][];
            match_count: number;
            /** @description The sheet's name. */
            name: string;
            page_number: number;
            row_count: number;
        };
        /** @description The password of the caller. */
        SecondFactorBegin: {
            /** Format: password */
            current_password: string;
        };
        /** @description A code of the authenticator app. */
        SecondFactorConfirm: {
            /** @description A code of the authenticator app, or a recovery code. */
            code: string;
        };
        /** @description The password and a code of the caller. */
        SecondFactorDisable: {
            /** @description A code of the authenticator app, or a recovery code. */
            code: string;
            /** Format: password */
            current_password: string;
        };
        /** @description The state of two-factor authentication. */
        SecondFactorResponse: {
            is_enabled: boolean;
            recovery_codes_left: number;
        };
        /** @description The second step of signing in. */
        SecondFactorSignIn: {
            /** Format: password */
            challenge_token: string;
            /** @description A code of the authenticator app, or a recovery code. */
            code: string;
            /**
             * @description True: set httpOnly cookies, for browsers. False: return the tokens, for programs.
             * @default true
             */
            use_cookies: boolean;
        };
        /** @description A page sent as an image. */
        SentPage: {
            /** @description The document's filename. */
            document: string;
            /** Format: uuid */
            document_id: string;
            page_number: number;
        };
        /** @description The most relevant sentence (or table row) of a snippet. */
        SentenceView: {
            /**
             * @description Chosen by its words of the query, or by meaning.
             * @enum {string}
             */
            basis: "words" | "meaning";
            char_end: number;
            /** @description Start in the document's text. */
            char_start: number;
            end: number;
            highlights: components["schemas"]["PageHighlight"][];
            /** @description Character offset in the snippet's text. */
            start: number;
        };
        /** @description An active session. */
        SessionResponse: {
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: uuid */
            id: string;
            ip: string;
            is_current: boolean;
            /** Format: date-time */
            refreshed_at: string;
            user_agent: string;
        };
        /** @description Ways to sign in. */
        SignInMethods: {
            has_passwords: boolean;
            /** @description The name on the button. Null: there is no single sign-on. */
            single_sign_on: string | null;
        };
        /** @description Credentials of a user. */
        SignInRequest: {
            email: string;
            /** Format: password */
            password: string;
            /**
             * @description True: set httpOnly cookies, for browsers. False: return the tokens, for programs.
             * @default true
             */
            use_cookies: boolean;
        };
        /** @description The user and the lifetime of the access token. Tokens are absent if cookies are used. */
        SignInResponse: {
            access_token?: string | null;
            /** @description Lifetime of the access token. */
            expires_in_seconds: number;
            /** @description Valid for one use. */
            refresh_token?: string | null;
            /**
             * @default bearer
             * @constant
             */
            token_type: "bearer";
            user: components["schemas"]["UserResponse"];
        };
        /** @description Settings of signing in, with the addresses to register at the identity provider. */
        SignInSettingsResponse: {
            default_role: ("admin" | "editor" | "reader") | null;
            group_claim: string;
            groups: components["schemas"]["GroupMapping"][];
            has_local_passwords: boolean;
            is_linking_allowed: boolean;
            /** @description OIDC_ISSUER. Null: single sign-on is not set up. */
            issuer: string | null;
            provider_name: string;
            /** @description Register it at the identity provider as a redirect URI. */
            redirect_uri: string;
            /** @description Register it at the identity provider for redirects after sign-out. */
            sign_out_uri: string;
        };
        /** @description Settings of signing in. It replaces the present settings. */
        SignInSettingsUpdate: {
            /** @description Role of people whose groups give none. Null: they are refused. */
            default_role?: ("admin" | "editor" | "reader") | null;
            /**
             * @description Claim with the list of groups.
             * @default groups
             */
            group_claim: string;
            /** @default [] */
            groups: components["schemas"]["GroupMapping"][];
            /**
             * @description False: people sign in over single sign-on only.
             * @default true
             */
            has_local_passwords: boolean;
            /**
             * @description True: an identity signs in to the account with its e-mail address, if the provider verified it.
             * @default false
             */
            is_linking_allowed: boolean;
            /** @description The name on the button of the sign-in page. */
            provider_name: string;
        };
        /** @description Options of signing out everywhere. */
        SignOutEverywhereRequest: {
            /**
             * @description True: also revoke the API keys of the user.
             * @default false
             */
            revoke_keys: boolean;
        };
        /** @description Where a browser goes after signing out. */
        SignOutResponse: {
            /** @description Ends the session at the identity provider too. Null after signing in by password. */
            redirect_to?: string | null;
        };
        /** @description A page that was not sent as an image. */
        SkippedPage: {
            /** @description `too_many_bytes`, `contains_instructions` (its text addresses a language model), or the code of the rendering error. */
            code: string;
            /** @description The document's filename. */
            document: string;
            /** Format: uuid */
            document_id: string;
            page_number: number;
        };
        /** @description The part of the passage that matches the query. */
        SnippetView: {
            char_end: number;
            /** @description Start in the document's text. */
            char_start: number;
            matches: components["schemas"]["MatchRange"][];
            text: string;
        };
        /** @description The rows of a spreadsheet that match, best first. */
        SpreadsheetRows: {
            file: components["schemas"]["FileFacts"];
            /** @description All matching rows. `rows` has at most 20. */
            match_count: number;
            query: string;
            rows: components["schemas"]["FoundTableRow"][];
            /** @description Names of all sheets with tables. */
            sheets: string[];
            tables: components["schemas"]["SearchedTable"][];
        };
        /** @description Location and size of originals and of the database. */
        StorageFacts: {
            database_bytes: number;
            /** @enum {string} */
            kind: "folder" | "object_store";
            original_bytes: number;
            original_count: number;
        };
        /** @description The method of each arm: `exact`, `index` or `off`. */
        Strategy: {
            /** @description A requested arm failed. `message` names it. */
            is_degraded: boolean;
            /**
             * @description Searched on a replica with the current library version.
             * @default false
             */
            is_replica: boolean;
            /** @enum {string} */
            keyword: "exact" | "index" | "off";
            /** @enum {string} */
            semantic: "exact" | "index" | "off";
            /** @description Languages in scope without words of the query. */
            unmatched_languages: string[];
        };
        /** @description Options of a stream. */
        StreamOptions: {
            /** @description Has no effect. */
            include_obfuscation?: boolean | null;
            /** @description Send the tokens of the chat endpoint, if one was used. */
            include_usage?: boolean | null;
        };
        /** @description The smallest change that would find the passage. `field` names a field of the request. */
        SuggestedChange: {
            /**
             * @description Code of the sentence, for translation.
             * @enum {string}
             */
            code: "drop_filters" | "mend_file" | "wait" | "upload_text" | "give_other_page" | "recognise_page" | "ask_for_target" | "halve_quote" | "recognise_pages" | "copy_words" | "take_more_tokens" | "ask_for_more" | "search_by_meaning" | "search_by_keyword_too" | "use_fewer_words" | "use_its_words" | "use_other_words" | "ask_in_its_language";
            field?: string | null;
            text: string;
            value?: boolean | number | string | string[] | null;
            /** @description Values in the sentence, by name. */
            values?: {
                [key: string]: number | string | string[];
            };
        };
        /**
         * @description The installation at this moment.
         *
         *     `disk` is null if originals are in an object store. `confinement` is null if it is unknown.
         */
        SystemResponse: {
            checks: {
                [key: string]: "ok" | "failed";
            };
            confinement: components["schemas"]["ConfinementFacts"] | null;
            disk: components["schemas"]["DiskFacts"] | null;
            embeddings: components["schemas"]["EmbeddingsFacts"];
            /** @description Directories that may contain watched folders. Empty: watching is off. */
            folder_roots: string[];
            library: components["schemas"]["LibraryFacts"];
            /** @description Whether pages of Office files can be drawn: `available`, `not_installed` (no LibreOffice) or `not_confined` (the kernel cannot sandbox it). */
            office_pages: components["schemas"]["ConverterStatus"];
            queue: components["schemas"]["QueueFacts"];
            /** Format: date-time */
            started_at: string;
            /** @enum {string} */
            status: "ready" | "not_ready";
            storage: components["schemas"]["StorageFacts"];
            versions: components["schemas"]["Versions"];
        };
        /** @description A table with at most 20 rows. */
        TableOfFile: {
            columns: components["schemas"]["ColumnOfTable"][];
            header: string[];
            is_truncated: boolean;
            /** @description The sheet's name, or the first line of its page. */
            name: string;
            page_number: number;
            row_count: number;
            rows: string[][];
        };
        /** @description The tables of a file. */
        TablesOfFile: {
            /** @description Column names that all tables share. */
            common_columns: string[];
            file: components["schemas"]["FileFacts"];
            tables: components["schemas"]["TableOfFile"][];
        };
        /** @description A file and its required format. */
        TablesRequest: {
            /** @description Bytes of the file in base64, instead of `url`. */
            content?: string | null;
            /** @description File name. Its extension tells text formats apart. */
            filename?: string | null;
            /** @description Required format of the file. */
            format?: ("pdf" | "docx" | "pptx" | "image" | "xlsx" | "csv") | null;
            /** @description Password of a protected file. */
            password?: string | null;
            /** @description Public http(s) URL. */
            url?: string | null;
        };
        /** @description A new tag. */
        TagCreate: {
            /**
             * @description A colour of the palette, or #rrggbb.
             * @default gray
             */
            color: string;
            /** @default  */
            description: string;
            name: string;
        };
        /** @description Conditions on the tags of a document. All of them must hold. */
        TagFilter: {
            /**
             * @description Every one of these.
             * @default []
             */
            all: string[];
            /**
             * @description At least one of these.
             * @default []
             */
            any: string[];
            /**
             * @description None of these.
             * @default []
             */
            none: string[];
        };
        /** @description Read access of one person to documents of a tag. */
        TagGrantResponse: {
            email: string;
            /** Format: date-time */
            granted_at: string;
            /** @description The address of whoever shared. */
            granted_by: string;
            /** Format: uuid */
            id: string;
        };
        /** @description The people with whom the caller shares a tag. Administrators see those of everybody. */
        TagGrantsResponse: {
            /** @description Documents with the tag that the caller may share. */
            documents: number;
            grants: components["schemas"]["TagGrantResponse"][];
            /** @description For the owner and administrators. Null for others. */
            owner: components["schemas"]["OwnerResponse"] | null;
        };
        /** @description Tags to merge into another one. */
        TagMerge: {
            /** @description Ids or names of the tags to merge. They are deleted. */
            tags: string[];
        };
        /** @description The target tag and the counts of the merge. */
        TagMerged: {
            merged_tags: number;
            retagged_documents: number;
            tag: components["schemas"]["TagResponse"];
        };
        /** @description A label of documents. */
        TagResponse: {
            color: string;
            /** Format: date-time */
            created_at: string;
            description: string;
            /** @description Documents with this tag in the caller's scope, without the trash. */
            document_count: number;
            /** Format: uuid */
            id: string;
            /** @description True: the caller is the person who owns it, and may share it. */
            is_owner: boolean;
            name: string;
        };
        /** @description Read access of one person through a tag of the document. */
        TagShareResponse: {
            email: string;
            /** Format: date-time */
            granted_at: string;
            tag: string;
        };
        /** @description Fields to change. Absent fields stay as they are. */
        TagUpdate: {
            color?: string | null;
            description?: string | null;
            name?: string | null;
        };
        /** @description The only supported form of an answer. */
        TextFormat: {
            /** @constant */
            type: "text";
        };
        /** @description A match of the words. Offsets are in the document's text. */
        TextMatch: {
            /** @description Text after the match: at most 60 characters in whole words. */
            after: string;
            /** @description Text before the match: at most 60 characters in whole words. */
            before: string;
            char_end: number;
            char_start: number;
            highlights: components["schemas"]["PageHighlight"][];
            /** @description The page on which the match begins. */
            page_number: number;
            /** @description The matching text as it is in the document. */
            text: string;
        };
        /** @description The text of a file, page by page. */
        TextOfFile: {
            file: components["schemas"]["FileFacts"];
            /** @description Text was cut at 50,000 characters. Go on from the last page. */
            is_truncated: boolean;
            pages: components["schemas"]["PageOfFile"][];
        };
        /** @description A file, its required format and the pages to return. */
        TextRequest: {
            /**
             * @description First character of the first page.
             * @default 0
             */
            char_start: number;
            /** @description Bytes of the file in base64, instead of `url`. */
            content?: string | null;
            /** @description File name. Its extension tells text formats apart. */
            filename?: string | null;
            /**
             * @description First page.
             * @default 1
             */
            first_page: number;
            /** @description Required format of the file. */
            format?: ("pdf" | "docx" | "pptx" | "image" | "xlsx" | "csv") | null;
            /** @description Last page. Default: the last one of the file. */
            last_page?: number | null;
            /** @description Password of a protected file. */
            password?: string | null;
            /** @description Public http(s) URL. */
            url?: string | null;
        };
        /** @description A thread in a list. */
        ThreadEntry: {
            answer_count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            scope: components["schemas"]["ThreadScope"];
            /** @description The first question, or the name you gave it. */
            title: string;
            /**
             * Format: date-time
             * @description Time of the last question.
             */
            updated_at: string;
        };
        /** @description A thread with its questions and answers. */
        ThreadResponse: {
            answer_count: number;
            /** @description Oldest first, at most the last 100. */
            answers: components["schemas"]["SavedAnswerResponse"][];
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            scope: components["schemas"]["ThreadScope"];
            /** @description The first question, or the name you gave it. */
            title: string;
            /**
             * Format: date-time
             * @description Time of the last question.
             */
            updated_at: string;
        };
        /** @description Filters of the last question. The next one has them too, unless it gives others. */
        ThreadScope: {
            /**
             * @description Ids or names.
             * @default []
             */
            collections: string[];
            created_after?: string | null;
            created_before?: string | null;
            /**
             * @description Ids or filenames, as they were given.
             * @default []
             */
            documents: string[];
            language?: string | null;
            /**
             * @description At least one of these.
             * @default []
             */
            tags: string[];
            /**
             * @description Every one of these.
             * @default []
             */
            tags_all: string[];
            /**
             * @description None of these.
             * @default []
             */
            tags_none: string[];
        };
        /** @description A new title. */
        ThreadUpdate: {
            title: string;
        };
        /** @description An access token, which is an API key, and a refresh token for one use. */
        TokenResponse: {
            access_token: string;
            expires_in: number;
            refresh_token: string;
            /** @description The granted toolsets, and `write`. */
            scope: string;
            /**
             * @default Bearer
             * @constant
             */
            token_type: "Bearer";
        };
        /** @description Milliseconds per step. Embedding runs during `filters` and `terms`; `embedding` is the wait after them. */
        Took: {
            embedding: number;
            filters: number;
            /** @default 0 */
            rerank: number;
            search: number;
            /** @default 0 */
            sentences: number;
            snippets: number;
            terms: number;
            total: number;
        };
        /** @description A toolset with its operations and tools. Changes also need write access. */
        ToolsetResponse: {
            /** @enum {string} */
            name: "search" | "answers" | "library" | "extract" | "connector";
            /** @description Operations of the REST API. Changes also need write access. */
            operations: string[];
            /** @description Tools of the MCP service. */
            tools: string[];
        };
        /** @description Event `step`: a finished step of an answer. */
        TraceStep: {
            /** @description Chunks of a search. */
            hits?: number | null;
            /** @description The question, query or expression. */
            input: string;
            /**
             * @description `plan`: searches and an expression; `search`; `cells`: the model picks figures and Lectern checks them; `calculation`; `draft`: the model writes and each sentence is verified.
             * @enum {string}
             */
            kind: "plan" | "search" | "cells" | "calculation" | "draft";
            /**
             * @description The part of `seconds` that was spent on the chat endpoint.
             * @default 0
             */
            model_seconds: number;
            /** @description The result in short. */
            output: string;
            /** @description Reason why the step gave no result. */
            problem?: string | null;
            seconds: number;
            /**
             * @description Tokens of prompt and completion.
             * @default 0
             */
            tokens: number;
        };
        /** @description Why one of several files was refused. Some codes add members. */
        UploadProblem: {
            code: string;
            detail: string;
            hint: string | null;
            status: number;
        } & {
            [key: string]: unknown;
        };
        /** @description The results in the order of the files. */
        UploadResponse: {
            items: components["schemas"]["UploadResult"][];
        };
        /** @description The document or the problem of one file. */
        UploadResult: {
            document?: components["schemas"]["DocumentResponse"] | null;
            filename: string;
            /**
             * @description The collection already had this file. Its tags were merged.
             * @default false
             */
            is_duplicate: boolean;
            /**
             * @description The collection already had this file. It is reprocessed in the requested language.
             * @default false
             */
            is_language_changed: boolean;
            /**
             * @description The file is a new version of the document with this filename.
             * @default false
             */
            is_new_version: boolean;
            /**
             * @description The document was restored from the trash.
             * @default false
             */
            is_restored: boolean;
            /** @description The job that processes the file. Null if it was processed before. */
            job_id?: string | null;
            problem?: components["schemas"]["UploadProblem"] | null;
        };
        /** @description A footnote mark in the content, and the place that it names. */
        UrlCitation: {
            end_index: number;
            start_index: number;
            title: string;
            url: string;
        };
        /** @description A URL in the text, with 100 characters of context on either side. */
        UrlOfFile: {
            /** @enum {string} */
            category: "api_endpoint" | "navigation" | "image" | "general";
            char_start: number;
            context: string;
            url: string;
        };
        /** @description Use of the chat endpoint. */
        Usage: {
            completion_tokens: number;
            /**
             * @description Total size of these images.
             * @default 0
             */
            image_bytes: number;
            /** @description Number of page images sent. */
            images: number;
            prompt_tokens: number;
            requests: number;
        };
        /** @description A new user. */
        UserCreate: {
            email: string;
            name?: string | null;
            /** Format: password */
            password: string;
            /**
             * @default reader
             * @enum {string}
             */
            role: "admin" | "editor" | "reader";
        };
        /** @description A user. */
        UserResponse: {
            /** Format: date-time */
            created_at: string;
            email: string;
            /** @description False: only single sign-on works. */
            has_password: boolean;
            has_second_factor: boolean;
            /** Format: uuid */
            id: string;
            is_active: boolean;
            last_sign_in_at: string | null;
            name: string;
            /** @enum {string} */
            role: "admin" | "editor" | "reader";
        };
        /** @description Fields to change. A new password revokes all sessions of the user, `is_active: false` the keys as well. */
        UserUpdate: {
            is_active?: boolean | null;
            name?: string | null;
            password?: string | null;
            role?: ("admin" | "editor" | "reader") | null;
        };
        /** @description A new version. The current version stays in use until the new one is complete. */
        VersionAccepted: {
            document: components["schemas"]["DocumentResponse"];
            /** @description True if the newest version already has this file. */
            is_unchanged: boolean;
            /** @description The job that processes it. Null if nothing has to be done. */
            job_id: string | null;
            version: components["schemas"]["VersionResponse"];
        };
        /** @description One content of a document. */
        VersionResponse: {
            chunk_count: number | null;
            /** @description Chunks that the previous version does not have. */
            chunks_added: number | null;
            /** @description Chunks of the previous version that this one does not have. */
            chunks_removed: number | null;
            /** @description Chunks shared with the previous version. */
            chunks_unchanged: number | null;
            content_type: string;
            /** Format: date-time */
            created_at: string;
            created_by: string;
            /** @description When it became the current version. */
            current_at: string | null;
            /** @description Why processing failed or was cancelled. */
            error: components["schemas"]["DocumentError"] | null;
            /** @description The uploaded filename. */
            filename: string;
            /** @description True for the version that searches and downloads use. */
            is_current: boolean;
            job_id: string | null;
            number: number;
            page_count: number | null;
            /** @description The older version that was restored. */
            restored_from: number | null;
            sha256: string;
            size_bytes: number;
            /** @enum {string} */
            state: "processing" | "current" | "replaced" | "failed" | "cancelled";
        };
        /** @description Versions of Lectern and its runtime. */
        Versions: {
            lectern: string;
            pgvector: string;
            platform: string;
            postgres: string;
            python: string;
        };
        /** @description The second request, with page images, made if the text gave no answer. Tokens and time are of this request. */
        Vision: {
            completion_tokens: number;
            pages: components["schemas"]["SentPage"][];
            problem: components["schemas"]["VisionProblem"] | null;
            prompt_tokens: number;
            skipped_pages: components["schemas"]["SkippedPage"][];
            /**
             * @description `answered`; `abstained`: no answer in the images; `refused`: the endpoint takes no images; `failed`: the request failed; `no_pages`: there was no page to send.
             * @enum {string}
             */
            status: "answered" | "abstained" | "refused" | "failed" | "no_pages";
            took_ms: number;
        };
        /** @description The error of a request with page images. */
        VisionProblem: {
            code: string;
            detail: string;
            hint: string | null;
        };
        /** @description A new webhook. */
        WebhookCreate: {
            /** @default  */
            description: string;
            /** @description Types to send. Null sends all, future ones too. */
            event_types?: ("document.created" | "document.ready" | "document.failed" | "document.updated" | "document.trashed" | "document.restored" | "document.purged" | "job.failed" | "collection.created" | "collection.updated" | "collection.deleted" | "system.alert")[] | null;
            /** @description Public http(s) URL, or one of LECTERN_FETCH_ALLOWED. */
            url: string;
        };
        /** @description A webhook with its secret, which is shown only now. */
        WebhookCreated: {
            /** @description `whsec_...`, to verify signatures with. */
            secret: string;
            webhook: components["schemas"]["WebhookResponse"];
        };
        /** @description Events in the order of delivery. */
        WebhookEvents: {
            items: components["schemas"]["WebhookMessage"][];
            /** @description Send it as `after` to continue. */
            next_cursor: number;
        };
        /** @description An event as it is sent. */
        WebhookMessage: {
            cursor: number;
            data: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            timestamp: string;
            type: string;
        };
        /** @description A webhook without its secret. */
        WebhookResponse: {
            /** @description Failures of the next event. */
            attempts: number;
            /** Format: date-time */
            created_at: string;
            created_by: string;
            /** @description Cursor of the last event that is done. */
            cursor: number;
            description: string;
            event_types: ("document.created" | "document.ready" | "document.failed" | "document.updated" | "document.trashed" | "document.restored" | "document.purged" | "job.failed" | "collection.created" | "collection.updated" | "collection.deleted" | "system.alert")[] | null;
            /** Format: uuid */
            id: string;
            last_delivered_at: string | null;
            /** @description As `error` of a delivery. */
            last_error: string | null;
            next_attempt_at: string | null;
            /** @description Events that wait for this endpoint. */
            pending_count: number;
            /**
             * @description `retrying`: the next event failed and is tried again. `failing`: it failed too often; events wait.
             * @enum {string}
             */
            state: "active" | "retrying" | "failing" | "paused";
            url: string;
        };
        /** @description Options of a rotation. */
        WebhookRotate: {
            /**
             * @description Messages are signed with both secrets so long.
             * @default 24
             */
            overlap_hours: number;
        };
        /** @description Fields to change. Absent fields stay as they are. */
        WebhookUpdate: {
            description?: string | null;
            /** @description Types to send. Null sends all, future ones too. */
            event_types?: ("document.created" | "document.ready" | "document.failed" | "document.updated" | "document.trashed" | "document.restored" | "document.purged" | "job.failed" | "collection.created" | "collection.updated" | "collection.deleted" | "system.alert")[] | null;
            /** @description False pauses it. True starts a failing one again. */
            is_active?: boolean | null;
            url?: string | null;
        };
        /** @description A search, and the passage that was expected from it. */
        WhyRequest: {
            /**
             * @description Search only these collections (ids or names).
             * @default []
             */
            collections: string[];
            /**
             * @description Add this many passages before and after each hit.
             * @default 0
             */
            context: number;
            /** @description Documents uploaded at or after this. */
            created_after?: string | null;
            /** @description Documents uploaded before this. */
            created_before?: string | null;
            /** @description Id or filename of the expected document. */
            document: string;
            /**
             * @description Search only these documents (ids or filenames).
             * @default []
             */
            documents: string[];
            /**
             * @description Add the score calculation to each hit.
             * @default false
             */
            explain: boolean;
            /**
             * @description Merge adjacent hits into the better one's `before` and `after`. Returns fewer hits.
             * @default false
             */
            fold: boolean;
            /**
             * @description True: keyword and semantic search. False: semantic search only.
             * @default true
             */
            hybrid: boolean;
            /** @description Documents in this language only (ISO 639). */
            language?: string | null;
            /**
             * @description For hits with few words of the query, center the snippet on the sentence nearest in meaning. Compares up to 60 sentences, about a second with a local model.
             * @default false
             */
            nearest_sentence: boolean;
            /** @description The expected page. */
            page_number?: number | null;
            /** @description A question or keywords, in any language. */
            query: string;
            /** @description Words of the expected passage. */
            quote?: string | null;
            /**
             * @description Add the position of the snippet on its pages.
             * @default true
             */
            rectangles: boolean;
            /** @description Rerank the best passages. Null: the installation's default. */
            rerank?: boolean | null;
            /** @description Tag names. A plain list means any of them. */
            tags?: components["schemas"]["TagFilter"];
            /** @description Token budget of the reader. */
            token_budget?: number | null;
            /**
             * @description Number of hits.
             * @default 5
             */
            top_k: number;
        };
        /** @description The stage that lost the passage, with the ranks of the best expected passage. */
        WhyResponse: {
            /** @description Null if no change is needed. */
            change: components["schemas"]["SuggestedChange"] | null;
            chunk_id?: string | null;
            /**
             * @description Code of the reason, for translation.
             * @enum {string}
             */
            code: "found" | "filtered_out" | "not_read" | "still_processing" | "no_text" | "no_such_page" | "page_without_text" | "page_of_contents" | "page_without_passages" | "quote_is_split" | "quote_may_be_unreadable" | "quote_is_absent" | "beyond_budget" | "below_top_k" | "voted_down_by_keyword" | "voted_down_by_meaning" | "in_another_language" | "holds_no_word" | "too_low_by_keyword" | "too_far_by_meaning" | "beyond_ranks_by_meaning";
            /** Format: uuid */
            document_id: string;
            /** @description Null: not among the candidates. */
            fused_rank?: number | null;
            keyword_rank?: number | null;
            page_number?: number | null;
            reason: string;
            semantic_rank?: number | null;
            /** @enum {string} */
            stage: "found" | "scope" | "not_ingested" | "unreadable_page" | "not_in_document" | "split_across_chunks" | "token_budget" | "fusion" | "top_k" | "language" | "keyword_rank" | "semantic_rank";
            /** @description Values in the sentence, by name. */
            values?: {
                [key: string]: number | string | string[];
            };
        };
    };
    responses: {
        /** @description A problem (RFC 9457). */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get_authorization_server_metadata: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuthorizationServerMetadata"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_protected_resource_metadata: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProtectedResourceMetadata"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_answers: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string | null;
                /** @description Maximum number of items. */
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Page_SavedAnswerEntry_"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    create_answer: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerRequest"];
            };
        };
        responses: {
            /** @description The answer; with `stream`, events `retrieval`, `step`, `citation`, `token`, `end`, or `problem`. */
            200: {
                content: {
                    "application/json": components["schemas"]["AnswerResponse"];
                    "text/event-stream": unknown;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    delete_answers: {
        parameters: {
            query: {
                /** @description Confirms that all answers are deleted. */
                confirm: "true";
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    get_answer: {
        parameters: {
            query?: never;
            path: {
                answer_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SavedAnswerResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    delete_answer: {
        parameters: {
            query?: never;
            path: {
                answer_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    put_answer_feedback: {
        parameters: {
            query?: never;
            path: {
                answer_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Feedback"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FeedbackResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_me: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PrincipalResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_sign_in_methods: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    change_password: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    refresh_session: {
        parameters: {
            query?: never;
            cookie?: {
                lectern_refresh?: string | null;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefreshRequest"] | null;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignInResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_second_factor: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SecondFactorResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    begin_second_factor: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorBegin"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EnrolmentResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    confirm_second_factor: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorConfirm"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RecoveryCodesResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    disable_second_factor: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorDisable"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    list_sessions: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SessionResponse"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    end_session: {
        parameters: {
            query?: never;
            path: {
                session_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    sign_in: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignInResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    sign_in_with_code: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorSignIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignInResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    sign_out: {
        parameters: {
            query?: never;
            cookie?: {
                lectern_session?: string | null;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignOutResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    sign_out_everywhere: {
        parameters: {
            query?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SignOutEverywhereRequest"] | null;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    begin_single_sign_on: {
        parameters: {
            query?: {
                /** @description Page of the web UI to open afterwards. */
                next?: string | null;
            };
            cookie?: {
                lectern_single_sign_on?: string | null;
            };
        };
        responses: {
            303: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    finish_single_sign_on: {
        parameters: {
            query?: {
                state?: string;
                code?: string | null;
                iss?: string | null;
                error?: string | null;
            };
            cookie?: {
                lectern_single_sign_on?: string | null;
            };
        };
        responses: {
            303: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    list_collections: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string | null;
                /** @description Maximum number of items. */
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Page_CollectionResponse_"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    create_collection: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectionCreate"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CollectionResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_named_collection: {
        parameters: {
            query: {
                /** @description Id or name. */
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CollectionResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_collection: {
        parameters: {
            query?: never;
            path: {
                collection_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CollectionResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    delete_collection: {
        parameters: {
            query?: {
                /** @description Id or name of the collection that gets the documents. */
                move_to?: string | null;
            };
            path: {
                collection_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    update_collection: {
        parameters: {
            query?: never;
            path: {
                collection_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectionUpdate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CollectionResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_collection_folder: {
        parameters: {
            query?: never;
            path: {
                collection_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FolderResponse"] | null;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    put_collection_folder: {
        parameters: {
            query?: never;
            path: {
                collection_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FolderBinding"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FolderResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    delete_collection_folder: {
        parameters: {
            query?: never;
            path: {
                collection_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    ingest_collection_folder: {
        parameters: {
            query?: never;
            path: {
                collection_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FolderScan"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FolderOutcome"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_collection_members: {
        parameters: {
            query?: never;
            path: {
                collection_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemberResponse"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    put_collection_member: {
        parameters: {
            query?: never;
            path: {
                collection_id: string;
                user_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberUpdate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemberResponse"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    remove_collection_member: {
        parameters: {
            query?: never;
            path: {
                collection_id: string;
                user_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    list_documents: {
        parameters: {
            query?: {
                /** @description Any of these tags, by id or name. */
                tags?: string[];
                /** @description All of these tags. */
                tags_all?: string[];
                /** @description None of these tags. */
                tags_none?: string[];
                /** @description Only documents without tags. */
                is_untagged?: boolean;
                /** @description Only documents of collections that the caller does not read, shared by a grant. */
                is_shared_with_me?: boolean;
                /** @description Any of these collections, by id or name. */
                collections?: string[];
                status?: ("queued" | "processing" | "ready" | "failed")[];
                /** @description Any of these media types, such as `application/pdf`. */
                content_type?: string[];
                language?: string[];
                /** @description Part of the filename or the title. */
                q?: string | null;
                created_from?: string | null;
                /** @description Exclusive upper bound. */
                created_to?: string | null;
                /** @description True: only documents in the trash. False: only documents outside it. */
                is_deleted?: boolean;
                /** @description `name_match`: names equal to `q`, names that begin with it, other names. Newest first in each. */
                sort?: "created_at" | "-created_at" | "filename" | "-filename" | "title" | "-title" | "size_bytes" | "-size_bytes" | "page_count" | "-page_count" | "status" | "-status" | "deleted_at" | "-deleted_at" | "name_match";
                /** @description `next_cursor` of the previous page. */
                cursor?: string | null;
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Page_DocumentResponse_"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    upload_documents: {
        parameters: {
            query?: {
                /** @description Ids or names. Can be repeated. */
                tags?: string[] | null;
                collection?: string | null;
                language?: string | null;
                /** @description The filename of a body that is not a form. */
                filename?: string | null;
                /** @description What to do if the collection has a document with this filename. */
                on_same_name?: components["schemas"]["OnSameName"];
            };
        };
        /** @description A form with one or more `files`, or the bytes of one file. The file type is detected from the bytes. */
        requestBody: {
            content: {
                "application/epub+zip": string;
                "application/mbox": string;
                "application/octet-stream": string;
                "application/pdf": string;
                "application/vnd.ms-outlook": string;
                "application/vnd.oasis.opendocument.presentation": string;
                "application/vnd.oasis.opendocument.spreadsheet": string;
                "application/vnd.oasis.opendocument.text": string;
                "application/vnd.openxmlformats-officedocument.presentationml.presentation": string;
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                "image/jpeg": string;
                "image/png": string;
                "image/tiff": string;
                "image/webp": string;
                "message/rfc822": string;
                "multipart/form-data": {
                    collection?: string;
                    files: string[];
                    language?: string;
                    /** @enum {string} */
                    on_same_name?: "keep_both" | "new_version";
                    tags?: string[];
                };
                "text/calendar": string;
                "text/csv": string;
                "text/html": string;
                "text/markdown": string;
                "text/plain": string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["UploadResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    change_documents: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BulkResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    add_document_from_url: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddFromUrl"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["UploadResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_named_document: {
        parameters: {
            query: {
                /** @description Id, handle, filename, title, ticker or company. */
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DocumentResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_document: {
        parameters: {
            query?: never;
            path: {
                document_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DocumentResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    delete_document: {
        parameters: {
            query?: {
                /** @description Delete the document and all its data permanently. */
                purge?: boolean;
            };
            path: {
                document_id: string;
            };
        };
        responses: {
            /** @description The document was purged. */
            200: {
                content: {
                    "application/json": components["schemas"]["PurgeReceipt"];
                };
            };
            /** @description The document is in the trash. */
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    update_document: {
        parameters: {
            query?: never;
            path: {
                document_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DocumentUpdate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DocumentResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_document_chunks: {
        parameters: {
            query?: {
                /** @description Only chunks on this page. */
                page_number?: number | null;
                /** @description `next_cursor` of the previous page. */
                cursor?: string | null;
                /** @description Maximum number of items. */
                limit?: number;
            };
            path: {
                document_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Page_ChunkResponse_"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_document_content: {
        parameters: {
            query?: {
                char_start?: number;
                max_characters?: number;
            };
            path: {
                document_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ContentResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    replace_document_content: {
        parameters: {
            query?: {
                /** @description The filename of a body that is not a form. */
                filename?: string | null;
            };
            path: {
                document_id: string;
            };
        };
        /** @description The bytes of the file, or a form with one `file`. The file type is detected from the bytes. */
        requestBody: {
            content: {
                "application/epub+zip": string;
                "application/mbox": string;
                "application/octet-stream": string;
                "application/pdf": string;
                "application/vnd.ms-outlook": string;
                "application/vnd.oasis.opendocument.presentation": string;
                "application/vnd.oasis.opendocument.spreadsheet": string;
                "application/vnd.oasis.opendocument.text": string;
                "application/vnd.openxmlformats-officedocument.presentationml.presentation": string;
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                "image/jpeg": string;
                "image/png": string;
                "image/tiff": string;
                "image/webp": string;
                "message/rfc822": string;
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
                "text/calendar": string;
                "text/csv": string;
                "text/html": string;
                "text/markdown": string;
                "text/plain": string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["VersionAccepted"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_document_copies: {
        parameters: {
            query?: {
                /** @description Minimum share of the document's chunks in a copy. */
                share?: number;
                limit?: number;
            };
            path: {
                document_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CopiesResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    stream_document_events: {
        parameters: {
            query?: never;
            path: {
                document_id: string;
            };
        };
        responses: {
            /** @description Server-sent events. */
            200: {
                content: {
                    "text/event-stream": unknown;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    find_in_document: {
        parameters: {
            query: {
                /** @description The text to find. */
                q: string;
                /** @description `next_cursor` of the previous page. */
                cursor?: string | null;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description Office files: on printed pages, found by the words. Empty if these are not found there. */
                is_printed?: boolean;
            };
            path: {
                document_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Page_TextMatch_"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_document_grants: {
        parameters: {
            query?: never;
            path: {
                document_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DocumentGrantsResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    put_document_grant: {
        parameters: {
            query?: never;
            path: {
                document_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrantCreate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DocumentGrantsResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    put_document_owner: {
        parameters: {
            query?: never;
            path: {
                document_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OwnerUpdate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DocumentGrantsResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    delete_document_grant: {
        parameters: {
            query?: never;
            path: {
                document_id: string;
                grant_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    ingest_document: {
        parameters: {
            query?: never;
            path: {
                document_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["IngestRequest"] | null;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["DocumentResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_notes: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string | null;
                /** @description Maximum number of items. */
                limit?: number;
            };
            path: {
                document_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Page_NoteResponse_"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    create_note: {
        parameters: {
            query?: never;
            path: {
                document_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteCreate"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["NoteResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    delete_note: {
        parameters: {
            query?: never;
            path: {
                document_id: string;
                note_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    update_note: {
        parameters: {
            query?: never;
            path: {
                document_id: string;
                note_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteUpdate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["NoteResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_document_original: {
        parameters: {
            query?: {
                /** @description Office files: as the PDF that LibreOffice makes of them. */
                is_printed?: boolean;
                /** @description Display the file in the browser if its type is safe. Otherwise it is downloaded. */
                is_inline?: boolean;
            };
            header?: {
                range?: string | null;
                "if-match"?: string | null;
                "if-range"?: string | null;
                "if-none-match"?: string | null;
            };
            path: {
                document_id: string;
            };
        };
        responses: {
            /** @description The whole file. */
            200: {
                content: {
                    "application/epub+zip": string;
                    "application/mbox": string;
                    "application/pdf": string;
                    "application/vnd.ms-outlook": string;
                    "application/vnd.oasis.opendocument.presentation": string;
                    "application/vnd.oasis.opendocument.spreadsheet": string;
                    "application/vnd.oasis.opendocument.text": string;
                    "application/vnd.openxmlformats-officedocument.presentationml.presentation": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/tiff": string;
                    "image/webp": string;
                    "message/rfc822": string;
                    "text/calendar": string;
                    "text/csv": string;
                    "text/html": string;
                    "text/markdown": string;
                    "text/plain": string;
                };
            };
            /** @description The requested range. */
            206: {
                content: {
                    "application/epub+zip": string;
                    "application/mbox": string;
                    "application/pdf": string;
                    "application/vnd.ms-outlook": string;
                    "application/vnd.oasis.opendocument.presentation": string;
                    "application/vnd.oasis.opendocument.spreadsheet": string;
                    "application/vnd.oasis.opendocument.text": string;
                    "application/vnd.openxmlformats-officedocument.presentationml.presentation": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/tiff": string;
                    "image/webp": string;
                    "message/rfc822": string;
                    "text/calendar": string;
                    "text/csv": string;
                    "text/html": string;
                    "text/markdown": string;
                    "text/plain": string;
                };
            };
            /** @description The client's cached copy is current. */
            304: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    get_document_outline: {
        parameters: {
            query?: never;
            path: {
                document_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OutlineResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_document_pages: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string | null;
                /** @description Maximum number of items. */
                limit?: number;
            };
            path: {
                document_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Page_PageEntry_"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_document_page: {
        parameters: {
            query?: {
                /** @description Add the rectangles of its words. */
                words?: boolean;
            };
            path: {
                document_id: string;
                page_number: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PageResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_document_page_image: {
        parameters: {
            query?: {
                /** @description Pixels. */
                width?: number;
            };
            header?: {
                "if-none-match"?: string | null;
            };
            path: {
                document_id: string;
                page_number: number;
            };
        };
        responses: {
            /** @description The image. */
            200: {
                content: {
                    "image/webp": string;
                };
            };
            /** @description The client's cached copy is current. */
            304: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    get_document_rectangles: {
        parameters: {
            query: {
                char_start: number;
                char_end: number;
                /** @description Office files: on printed pages, found by the words. Empty if these are not found there. */
                is_printed?: boolean;
            };
            path: {
                document_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HighlightsResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    restore_document: {
        parameters: {
            query?: never;
            path: {
                document_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DocumentResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_document_stats: {
        parameters: {
            query?: {
                /** @description Also count this term, as whole words. */
                term?: string | null;
            };
            path: {
                document_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DocumentStats"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_document_versions: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string | null;
                /** @description Maximum number of items. */
                limit?: number;
            };
            path: {
                document_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Page_VersionResponse_"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_version_original: {
        parameters: {
            query?: {
                /** @description Display the file in the browser if its type is safe. Otherwise it is downloaded. */
                is_inline?: boolean;
            };
            header?: {
                range?: string | null;
                "if-match"?: string | null;
                "if-range"?: string | null;
                "if-none-match"?: string | null;
            };
            path: {
                document_id: string;
                number: number;
            };
        };
        responses: {
            /** @description The whole file. */
            200: {
                content: {
                    "application/epub+zip": string;
                    "application/mbox": string;
                    "application/pdf": string;
                    "application/vnd.ms-outlook": string;
                    "application/vnd.oasis.opendocument.presentation": string;
                    "application/vnd.oasis.opendocument.spreadsheet": string;
                    "application/vnd.oasis.opendocument.text": string;
                    "application/vnd.openxmlformats-officedocument.presentationml.presentation": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/tiff": string;
                    "image/webp": string;
                    "message/rfc822": string;
                    "text/calendar": string;
                    "text/csv": string;
                    "text/html": string;
                    "text/markdown": string;
                    "text/plain": string;
                };
            };
            /** @description The requested range. */
            206: {
                content: {
                    "application/epub+zip": string;
                    "application/mbox": string;
                    "application/pdf": string;
                    "application/vnd.ms-outlook": string;
                    "application/vnd.oasis.opendocument.presentation": string;
                    "application/vnd.oasis.opendocument.spreadsheet": string;
                    "application/vnd.oasis.opendocument.text": string;
                    "application/vnd.openxmlformats-officedocument.presentationml.presentation": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/tiff": string;
                    "image/webp": string;
                    "message/rfc822": string;
                    "text/calendar": string;
                    "text/csv": string;
                    "text/html": string;
                    "text/markdown": string;
                    "text/plain": string;
                };
            };
            /** @description The client's cached copy is current. */
            304: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    restore_document_version: {
        parameters: {
            query?: never;
            path: {
                document_id: string;
                number: number;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["VersionAccepted"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_golden_queries: {
        parameters: {
            query?: {
                /** @description Only golden queries with this text. */
                query?: string | null;
                /** @description `next_cursor` of the previous page. */
                cursor?: string | null;
                /** @description Maximum number of items. */
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Page_GoldenQueryResponse_"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    create_golden_query: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewGoldenQuery"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["GoldenQueryResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    delete_golden_query: {
        parameters: {
            query?: never;
            path: {
                golden_query_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    preview_search_settings: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PreviewResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    run_golden_queries: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RunResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_search_settings: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SearchSettingsResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    stream_all_events: {
        parameters: {
            query?: never;
        };
        responses: {
            /** @description Server-sent events. */
            200: {
                content: {
                    "text/event-stream": unknown;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_extracts_caches: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CachesResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    clear_extracts_caches: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CachesCleared"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    chunk_file: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChunksRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ChunksOfFile"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    process_file: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProcessRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProcessedDocument"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_file_formats: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FormatsResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_extracts_health: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ExtractsHealth"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    detect_text_language: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LanguageRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DetectedLanguage"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    retrieve_file_chunks: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetrievalRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RetrievedChunks"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    query_file_rows: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RowsRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SpreadsheetRows"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    extract_file_tables: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TablesRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TablesOfFile"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    extract_file_text: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TextRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TextOfFile"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_jobs: {
        parameters: {
            query?: {
                /** @description Group of job states. */
                state?: components["schemas"]["JobGroup"] | null;
                /** @description Only jobs of this document. */
                document_id?: string | null;
                /** @description `next_cursor` of the previous page. */
                cursor?: string | null;
                /** @description Maximum number of items. */
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Page_DocumentJobResponse_"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_job: {
        parameters: {
            query?: never;
            path: {
                job_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DocumentJobResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    cancel_job: {
        parameters: {
            query?: never;
            path: {
                job_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DocumentJobResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    retry_job: {
        parameters: {
            query?: never;
            path: {
                job_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["JobRetry"] | null;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["DocumentJobResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_api_keys: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string | null;
                /** @description Maximum number of items. */
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Page_ApiKeyResponse_"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    create_api_key: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyCreate"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    introspect_api_key: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntrospectRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KeyIntrospection"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_key_policy: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KeyPolicyResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_api_key: {
        parameters: {
            query?: never;
            path: {
                key_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ApiKeyResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    revoke_api_key: {
        parameters: {
            query?: never;
            path: {
                key_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    update_api_key: {
        parameters: {
            query?: never;
            path: {
                key_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyUpdate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ApiKeyResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    rotate_api_key: {
        parameters: {
            query?: never;
            path: {
                key_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApiKeyRotate"] | null;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    test_api_key: {
        parameters: {
            query?: never;
            path: {
                key_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KeyTestResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    view_api_key: {
        parameters: {
            query?: never;
            path: {
                key_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KeyViewResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    search_notes: {
        parameters: {
            query: {
                /** @description Words of the note or of its quotation. */
                q: string;
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["NoteSearchResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    preview_authorization: {
        parameters: {
            query: {
                client_id: string;
                redirect_uri: string;
                response_type?: string;
                code_challenge?: string;
                code_challenge_method?: string;
                state?: string | null;
                scope?: string;
                resource?: string | null;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuthorizationPreview"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    decide_authorization: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthorizationDecision"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuthorizationRedirect"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    register_oauth_client: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    client_name?: string;
                    redirect_uris: string[];
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["RegisteredClient"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    revoke_oauth_token: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    client_id?: string;
                    token?: string;
                    token_type_hint?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": unknown;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    exchange_oauth_token: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    client_id?: string;
                    code?: string;
                    code_verifier?: string;
                    grant_type?: string;
                    redirect_uri?: string;
                    refresh_token?: string;
                    resource?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    verify_quote: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuoteRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["QuoteResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_samples: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SamplesResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    load_samples: {
        parameters: {
            query?: never;
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["UploadResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    search: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SearchResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    why: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WhyRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WhyResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_sign_in_settings: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignInSettingsResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    update_sign_in_settings: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInSettingsUpdate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignInSettingsResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_system: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SystemResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_audit_events: {
        parameters: {
            query?: {
                /** @description `user:<id>`, `key:<id>`, `system` or `anonymous`. */
                actor?: string | null;
                /** @description Such as `document.upload`. */
                action?: string | null;
                /** @description Such as `document:<id>`. */
                target?: string | null;
                /** @description Only events at this time or later. */
                since?: string | null;
                /** @description Only events before this time. */
                until?: string | null;
                /** @description `next_cursor` of the previous page. */
                cursor?: string | null;
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Page_AuditEventResponse_"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    export_audit_events: {
        parameters: {
            query?: {
                /** @description `user:<id>`, `key:<id>`, `system` or `anonymous`. */
                actor?: string | null;
                /** @description Such as `document.upload`. */
                action?: string | null;
                /** @description Such as `document:<id>`. */
                target?: string | null;
                /** @description Only events at this time or later. */
                since?: string | null;
                /** @description Only events before this time. */
                until?: string | null;
                /** @description `jsonl` (lines of JSON) or `csv`. */
                format?: "jsonl" | "csv";
            };
        };
        responses: {
            /** @description One event a line, oldest first. */
            200: {
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    use_embeddings: {
        parameters: {
            query?: {
                /** @description Switch although documents lack these embeddings. Keyword search still finds them. */
                incomplete?: boolean;
            };
            path: {
                generation_id: number;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    get_mcp_address: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["McpAddressResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_tags: {
        parameters: {
            query?: {
                sort?: "name" | "-name" | "document_count" | "-document_count" | "created_at" | "-created_at";
                /** @description Part of the name. */
                q?: string | null;
                /** @description `next_cursor` of the previous page. */
                cursor?: string | null;
                /** @description Maximum number of items. */
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Page_TagResponse_"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    create_tag: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagCreate"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["TagResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_tag: {
        parameters: {
            query?: never;
            path: {
                tag_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TagResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    delete_tag: {
        parameters: {
            query?: never;
            path: {
                tag_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    update_tag: {
        parameters: {
            query?: never;
            path: {
                tag_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagUpdate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TagResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_tag_grants: {
        parameters: {
            query?: never;
            path: {
                tag_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TagGrantsResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    put_tag_grant: {
        parameters: {
            query?: never;
            path: {
                tag_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrantCreate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TagGrantsResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    put_tag_owner: {
        parameters: {
            query?: never;
            path: {
                tag_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OwnerUpdate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TagGrantsResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    delete_tag_grant: {
        parameters: {
            query?: never;
            path: {
                tag_id: string;
                grant_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    merge_tags: {
        parameters: {
            query?: never;
            path: {
                tag_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagMerge"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TagMerged"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_threads: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string | null;
                /** @description Maximum number of items. */
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Page_ThreadEntry_"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_thread: {
        parameters: {
            query?: never;
            path: {
                thread_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ThreadResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    delete_thread: {
        parameters: {
            query?: never;
            path: {
                thread_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    update_thread: {
        parameters: {
            query?: never;
            path: {
                thread_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ThreadUpdate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ThreadEntry"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_users: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string | null;
                /** @description Maximum number of items. */
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Page_UserResponse_"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    create_user: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserCreate"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_user: {
        parameters: {
            query?: never;
            path: {
                user_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    delete_user: {
        parameters: {
            query?: never;
            path: {
                user_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    update_user: {
        parameters: {
            query?: never;
            path: {
                user_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserUpdate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    reset_second_factor: {
        parameters: {
            query?: never;
            path: {
                user_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    transfer_ownership: {
        parameters: {
            query?: never;
            path: {
                user_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OwnerUpdate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OwnershipTransferred"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_webhooks: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WebhookResponse"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    create_webhook: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["WebhookCreated"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_webhook_events: {
        parameters: {
            query?: {
                /** @description Cursor of an event. 0 is before the oldest. */
                after?: number;
                /** @description Maximum number of events. */
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WebhookEvents"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_webhook: {
        parameters: {
            query?: never;
            path: {
                webhook_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    delete_webhook: {
        parameters: {
            query?: never;
            path: {
                webhook_id: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    update_webhook: {
        parameters: {
            query?: never;
            path: {
                webhook_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookUpdate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    list_webhook_deliveries: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string | null;
                /** @description Maximum number of items. */
                limit?: number;
            };
            path: {
                webhook_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Page_DeliveryResponse_"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    replay_webhook: {
        parameters: {
            query: {
                /** @description Cursor of an event. 0 is before the oldest. */
                after: number;
            };
            path: {
                webhook_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    rotate_webhook_secret: {
        parameters: {
            query?: never;
            path: {
                webhook_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookRotate"] | null;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WebhookCreated"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    send_webhook_test: {
        parameters: {
            query?: never;
            path: {
                webhook_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeliveryResponse"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_health: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_metrics: {
        parameters: {
            query?: never;
        };
        responses: {
            /** @description The metrics. */
            200: {
                content: {
                    "text/plain": string;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    get_readiness: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description Service Unavailable */
            503: {
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    create_chat_completion: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatCompletionRequest"];
            };
        };
        responses: {
            /** @description The answer, or chunks with `stream`. */
            200: {
                content: {
                    "application/json": components["schemas"]["ChatCompletion"];
                    "text/event-stream": unknown;
                };
            };
            /** @description An error in OpenAI's form. */
            default: {
                content: {
                    "application/json": components["schemas"]["OpenAIErrorResponse"];
                };
            };
        };
    };
    list_chat_models: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ChatModels"];
                };
            };
            /** @description An error in OpenAI's form. */
            default: {
                content: {
                    "application/json": components["schemas"]["OpenAIErrorResponse"];
                };
            };
        };
    };
    get_chat_model: {
        parameters: {
            query?: never;
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ChatModel"];
                };
            };
            /** @description An error in OpenAI's form. */
            default: {
                content: {
                    "application/json": components["schemas"]["OpenAIErrorResponse"];
                };
            };
        };
    };
}
