import { firstFilled } from "@/lib/i18n/filled";
import { i18n } from "@/lib/i18n/i18n";
import en from "./failure-numbers.en.json";
import italian from "./failure-numbers.it.json";

/** The first sentence of a failure's code that the numbers fill. */
export function say(code: string, details: Record<string, unknown>): string | null {
  return firstFilled(i18n.getResource(i18n.language, "failures", code) ?? [], details);
}

/** Whatever says a failure is drawn again with these. */
export function addWords(): void {
  i18n.addResourceBundle("en", "failures", en);
  i18n.addResourceBundle("it", "failures", italian);
}
