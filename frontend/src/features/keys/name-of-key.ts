import type { TFunction } from "i18next";
import type { ApiKey } from "./use-keys";

/** The prefix of the key that MCP_API_KEY sets. Its name is stored in English. */
const OF_ENVIRONMENT = "environment";

/** Return the name of a key in the language of the page. */
export const nameOfKey = ({ name, prefix }: Pick<ApiKey, "name" | "prefix">, t: TFunction): string =>
  prefix === OF_ENVIRONMENT ? t("keys:ofEnvironment") : name;
