import { afterEach, describe, expect, it } from "vitest";
import { formatAge, formatBytes, formatDecimal, formatPercent, languageInSentence, languageName } from "./format";
import { i18n } from "./i18n/i18n";

afterEach(() => i18n.changeLanguage("en"));

describe("formats", () => {
  it("show sizes as people say them", async () => {
    await i18n.changeLanguage("en");
    expect([0, 1, 999, 1_500, 96_000, 12_345_678].map(formatBytes)).toEqual([
      "0 bytes",
      "1 byte",
      "999 bytes",
      "1.5 kB",
      "96 kB",
      "12 MB",
    ]);
  });

  it("say how long ago something was within a week, and the date before that", async () => {
    const now = Date.parse("2026-11-25T12:00:00Z");
    const age = (moment: string) => formatAge(moment, now);
    expect(age("2026-11-25T11:59:40Z")).toBe("now");
    expect(age("2026-11-25T12:00:03Z")).toBe("now"); // the clocks of two machines differ
    expect(age("2026-11-25T11:15:00Z")).toBe("45 min. ago");
    expect(age("2026-11-25T09:00:00Z")).toBe("3 hr. ago");
    expect(age("2026-11-23T11:00:00Z")).toBe("2 days ago");
    expect(age("2026-11-02T11:00:00Z")).toBe("Nov 2, 2026");
    await i18n.changeLanguage("it");
    expect(age("2026-11-25T09:00:00Z")).toBe("3 h fa");
    expect(age("2026-11-24T09:00:00Z")).toBe("ieri");
  });

  it("never round a share up to what is not done", () => {
    expect(formatPercent(0.996)).toMatch(/^99/);
  });

  it("write decimals as the person's language does", async () => {
    await i18n.changeLanguage("it");
    expect(formatDecimal(0.856, 2)).toBe("0,86");
    await i18n.changeLanguage("en");
    expect([formatDecimal(5, 1), formatDecimal(0.856, 2)]).toEqual(["5.0", "0.86"]);
  });

  it("name languages in the language of the person", async () => {
    await i18n.changeLanguage("it");
    expect([languageName("de"), languageInSentence("de")]).toEqual(["Tedesco", "tedesco"]);
    await i18n.changeLanguage("en");
    expect([languageName("de"), languageInSentence("de")]).toEqual(["German", "German"]);
  });
});
