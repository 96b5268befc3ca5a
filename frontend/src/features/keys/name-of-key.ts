import type { TFunction } from "i18next";
import type { ApiKey } from "./use-keys";

/** The prefix of the key that MCP_API_KEY sets. Its name is stored in English. */
const OF_ENVIRONMENT = "environment";

type Key = Pick<ApiKey, "name" | "prefix">;

/** Return true if MCP_API_KEY sets a key. Only a change of the variable rotates it. */
export const isOfEnvironment = ({ prefix }: Key): boolean => prefix === OF_ENVIRONMENT;

/** Return the name of a key in the language of the page. */
export const nameOfKey = (key: Key, t: TFunction): string =>
  isOfEnvironment(key) ? t("keys:ofEnvironment") : key.name;
