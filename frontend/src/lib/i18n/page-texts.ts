/** English texts of the pages whose code loads when they are opened: one file, loaded with the first of them. */
export const pageTexts = import.meta.glob<Record<string, unknown>>(
  ["../../locales/en/*.json", "!../../locales/en/{common,failures,security,sharing,signin,users}.json"],
  { eager: true, import: "default" },
);
