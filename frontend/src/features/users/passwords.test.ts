import { describe, expect, it } from "vitest";
import { MIN_PASSWORD_CHARACTERS, suggestPassword } from "./password-field";

describe("a suggested password", () => {
  it("is long enough, easy to read out, and never the same", () => {
    const made = new Set(Array.from({ length: 50 }, suggestPassword));
    expect(made.size).toBe(50);
    for (const password of made) {
      expect(password).toMatch(/^([a-zA-Z2-9]{5}-){3}[a-zA-Z2-9]{5}$/);
      expect(password).not.toMatch(/[lIO01]/);
      expect(password.length).toBeGreaterThanOrEqual(MIN_PASSWORD_CHARACTERS);
    }
  });
});
