/** Languages that the API tells apart unless LECTERN_LANGUAGES says otherwise. */
export const LANGUAGES = ["en", "it", "de", "fr", "es", "pt", "nl"] as const;
