import { describe } from "vitest";
import { ask, documentsNamed } from "./support/api";
import { violationsOf } from "./support/axe";
import { expect, test } from "./support/desk";

const PASSWORD = "a long password of nobody";
const NAME = "annual-report-2025";

describe("sharing", () => {
  test("lets a second person find and open a document, until it ends", async ({ open, stack }) => {
    const email = `receiver-${Date.now()}@example.org`;
    await ask(stack, "/users", { method: "POST", body: JSON.stringify({ email, password: PASSWORD, role: "reader" }) });
    const closed = { name: `Board ${Date.now()}`, is_open: false };
    const { id } = await ask<{ id: string }>(stack, "/collections", { method: "POST", body: JSON.stringify(closed) });
    const [document] = await documentsNamed(stack, NAME);
    const path = `/documents/${document?.id}`;
    const move = (collection: string) => ask(stack, path, { method: "PATCH", body: JSON.stringify({ collection }) });
    await move(id);

    const receiver = await open({ isSignedIn: false, language: "it", size: "phone" });
    receiver.expectComplaint(/401/);
    receiver.expectComplaint(/404/);
    await receiver.go("/documents");
    await receiver.page.getByLabel(receiver.t("account.email")).fill(email);
    await receiver.page.locator("input[type=password]").fill(PASSWORD);
    await receiver.page.getByRole("button", { name: receiver.t("account.signIn") }).click();
    await receiver.page.getByRole("heading", { level: 1, name: receiver.t("nav.documents") }).waitFor();
    const count = () =>
      receiver.page.evaluate(async (query) => {
        const found = await fetch("/api/v1/search", {
          method: "POST",
          headers: { "Content-Type": "application/json", "X-Requested-With": "e2e" },
          body: JSON.stringify({ query, top_k: 20 }),
        });
        const { data } = (await found.json()) as { data: { document: string }[] };
        return data.filter((hit) => hit.document.includes("annual-report-2025")).length;
      }, "Italian households");
    expect(await count()).toBe(0);

    const owner = await open();
    const { page, t } = owner;
    await owner.go(path);
    const title = document?.title ?? document?.filename ?? "";
    await page.getByRole("button", { name: t("documents.actionsOf", { title }) }).click();
    await page.getByRole("menuitem", { name: t("documents.share") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(t("sharing:email")).fill(email);
    await dialog.getByRole("button", { name: t("sharing:add"), exact: true }).click();
    await dialog.getByText(email).waitFor();
    await dialog.getByRole("button", { name: t("sharing:changeOwner") }).click();
    await dialog.getByLabel(t("sharing:newOwner")).fill(email);
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: t("sharing:changeOwner") }).click();
    await dialog.getByText(t("sharing:owner"), { exact: true }).waitFor();

    expect(await count()).toBeGreaterThan(0);
    await receiver.go("/home");
    await receiver.page.getByRole("link", { name: receiver.t("documents.views.builtIn.shared") }).click();
    await receiver.page
      .getByRole("link", { name: document?.title ?? NAME })
      .first()
      .waitFor();
    await receiver.go(path);

    await dialog.getByRole("button", { name: t("sharing:remove", { email }) }).click();
    await dialog.getByRole("button", { name: t("sharing:remove", { email }) }).waitFor({ state: "hidden" });
    expect(await count()).toBe(0);

    const tag = `partners-${Date.now()}`;
    await ask(stack, path, { method: "PATCH", body: JSON.stringify({ tags: [...(document?.tags ?? []), tag] }) });
    await owner.go("/tags");
    await page.getByRole("button", { name: t("documents.actionsOf", { title: tag }) }).click();
    await page.getByRole("menuitem", { name: t("documents.share") }).click();
    await dialog.getByText(t("sharing:aboutTag", { count: 1 })).waitFor();
    await dialog.getByLabel(t("sharing:email")).fill(email);
    await dialog.getByRole("button", { name: t("sharing:add"), exact: true }).click();
    await dialog.getByText(email).waitFor();
    await dialog.getByRole("button", { name: t("sharing:changeOwner") }).click();
    await dialog.getByLabel(t("sharing:newOwner")).fill(email);
    await dialog.getByRole("button", { name: t("sharing:changeOwner") }).click();
    await dialog.getByText(t("sharing:ownerOfTag", { name: email })).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await count()).toBeGreaterThan(0);

    // an owner without write access may share the tag, and nothing else
    await receiver.go("/tags");
    await receiver.page.getByRole("button", { name: receiver.t("documents.actionsOf", { title: tag }) }).click();
    await receiver.page.getByRole("menuitem", { name: receiver.t("documents.share") }).click();
    await receiver.page.getByText(receiver.t("sharing:ownerOfTag", { name: email })).waitFor();
    expect(await violationsOf(receiver.page)).toEqual([]);

    // the receiver leaves
    await owner.go("/users");
    const person = page.getByRole("listitem").filter({ hasText: email });
    await person.getByRole("button", { name: t("users:transfer") }).click();
    await dialog.getByLabel(t("sharing:newOwner")).fill(stack.email);
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: t("users:transfer") }).click();
    const given = { documents: t("tags.documents", { count: 1 }), tags: t("users:tags", { count: 1 }) };
    await page.getByText(t("users:transferred", { email: stack.email, ...given })).waitFor();
    await receiver.go("/tags");
    await receiver.page.getByText(tag).waitFor();
    expect(
      await receiver.page.getByRole("button", { name: receiver.t("documents.actionsOf", { title: tag }) }).count(),
    ).toBe(0);

    await owner.go(path);
    await page.getByRole("button", { name: t("documents.actionsOf", { title }) }).click();
    await page.getByRole("menuitem", { name: t("documents.share") }).click();
    await dialog.getByText(t("sharing:byTag", { tag })).waitFor();
    await ask(stack, path, { method: "PATCH", body: JSON.stringify({ tags: document?.tags ?? [] }) });
    expect(await count()).toBe(0);
    await move("Library");
  });
});
