import { ModalsProvider } from "@mantine/modals";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { SecurityPage } from "./security-page";

const FACTOR = "Two-factor authentication";

it.each([true, false])("offers a second factor to accounts with a password (%s)", async (hasPassword) => {
  answerRequests({
    "GET /api/v1/auth/me": () => ({ id: "u1", name: "Ada", role: "viewer", has_password: hasPassword }),
    "GET /api/v1/auth/sessions": () => [],
    "GET /api/v1/auth/second-factor": () => ({ is_enabled: false, recovery_codes_left: 0 }),
  });
  renderInApp(
    <ModalsProvider>
      <SecurityPage />
    </ModalsProvider>,
  );
  await screen.findByRole("heading", { level: 1 }, { timeout: 10_000 });
  if (hasPassword) await screen.findByRole("region", { name: FACTOR });
  expect(screen.queryAllByRole("region", { name: FACTOR })).toHaveLength(hasPassword ? 1 : 0);
});
