import { afterEach, expect, it } from "vitest";
import { i18n } from "@/lib/i18n/i18n";
import { failureText } from "./failure-text";

afterEach(() => void i18n.changeLanguage("en"));

it("words the code of a failed delivery in the language of the page", async () => {
  await i18n.loadNamespaces("webhooks");
  expect(failureText("http_503")).toBe("The endpoint answered 503.");
  expect(failureText("http_302")).toContain("302, a redirect");
  await i18n.changeLanguage("it");
  expect(failureText("http_503")).toBe("Il destinatario ha risposto 503.");
  expect(failureText("no_connection")).toContain("non accetta connessioni");
  expect(failureText("webhook_secret_unreadable")).toContain("JWT_SECRET_KEY");
});
