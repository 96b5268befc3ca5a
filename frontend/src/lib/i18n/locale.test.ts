import { afterEach, describe, expect, it, vi } from "vitest";
import { formatDate, formatDateTime, formatNumber, formatTime } from "../format";
import { i18n } from "./i18n";
import { localeOf } from "./locale";

const AFTERNOON = "2026-11-03T15:04:00";

async function read(language: "en" | "it", wanted: string[]) {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(wanted);
  await i18n.changeLanguage(language);
}

afterEach(async () => {
  vi.restoreAllMocks();
  await i18n.changeLanguage("en");
});

describe("the reader's own way to write dates and numbers", () => {
  it.each([
    ["en", ["en-US", "en"], "en-US"],
    ["en", ["it-IT", "it", "en-AU", "en-US"], "en-AU"],
    ["en", ["en", "en-IE"], "en-IE"],
    ["en", ["en"], "en-GB"],
    ["en", ["it-IT", "it"], "en-GB"],
    ["en", [], "en-GB"],
    ["it", ["de-CH", "it-CH", "it-IT"], "it-CH"],
    ["it", ["en-US", "en"], "it-IT"],
  ])("%s for %j is %s", (language, wanted, locale) => {
    expect(localeOf(language, wanted)).toBe(locale);
  });

  it("has the day first and 24 hours in English, but for those whose English is another", async () => {
    await read("en", ["it-IT", "it"]);
    expect(formatDate(AFTERNOON)).toBe("3 Nov 2026");
    expect(formatTime(AFTERNOON)).toBe("15:04");
    await read("en", ["en-US"]);
    expect(formatDate(AFTERNOON)).toBe("Nov 3, 2026");
    expect(formatDateTime(AFTERNOON)).toMatch(/3:04\sPM$/);
  });

  it("separates thousands as the country does, in sentences too", async () => {
    await read("it", ["it-CH"]);
    expect(formatNumber(1_234_567)).toMatch(/^1['’]234['’]567$/); // the apostrophe is straight in some data of locales
    expect(i18n.t("search.foundCount", { count: 1_234_567 })).toBe(`I ${formatNumber(1_234_567)} passaggi migliori`);
    await read("it", ["it-IT"]);
    expect(formatNumber(1_234_567)).toBe("1.234.567");
    expect(i18n.t("search.foundCount", { count: 1_234_567 })).toBe("I 1.234.567 passaggi migliori");
  });
});
