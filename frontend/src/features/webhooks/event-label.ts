import { completeSentence } from "@/lib/i18n/problem-text";

/** Say in the reader's language what an event is about. A type without words shows its name. */
export const eventLabel = (type: string): string => completeSentence("webhooks", `event.${type}`, {}) ?? type;
