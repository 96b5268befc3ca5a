import { ModalsProvider } from "@mantine/modals";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { browserName } from "./browser-name";
import { SecondFactor } from "./second-factor";
import { SessionsList } from "./sessions-list";

const FACTOR = "/api/v1/auth/second-factor";
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

it.each([
  [CHROME, "Chrome, Linux"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1", "Safari, iOS"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0", "Edge, Windows"],
  ["python-httpx/0.28.1", "python-httpx/0.28.1"],
])("names the browser of %s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});

it("turns two-factor authentication on in three steps", async () => {
  let isEnabled = false;
  const codes = ["aaaa-bbbb-cccc-dddd", "eeee-ffff-gggg-hhhh"];
  const asked = answerRequests({
    [`GET ${FACTOR}`]: () => ({ is_enabled: isEnabled, recovery_codes_left: isEnabled ? 2 : 0 }),
    [`POST ${FACTOR}`]: () => ({ secret: "JBSWY3DP", uri: "otpauth://totp/Lectern:a?secret=JBSWY3DP" }),
    [`POST ${FACTOR}/confirm`]: () => {
      isEnabled = true;
      return { recovery_codes: codes };
    },
  });
  renderInApp(
    <ModalsProvider>
      <SecondFactor />
    </ModalsProvider>,
  );
  await userEvent.click(await screen.findByRole("button", { name: "Turn on" }));
  await userEvent.type(await screen.findByLabelText("Current password"), "my password");
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));

  await screen.findByRole("img", { name: "QR code for an authenticator app" });
  expect(screen.getByText("JBSWY3DP")).toBeVisible();
  await userEvent.type(screen.getByLabelText("Code"), "123456{Enter}");

  const shown = await screen.findByRole("group", { name: "Recovery codes" });
  expect(codes.every((code) => shown.textContent?.includes(code))).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "I have saved the codes" }));
  await screen.findByText("2 recovery codes left.");
  const sent = asked.filter(({ method }) => method === "POST").map(({ body }) => body);
  expect(sent).toEqual([{ current_password: "my password" }, { code: "123456" }]);
});

it("ends another session, never this one", async () => {
  const at = "2026-01-01T00:00:00Z";
  const session = { user_agent: CHROME, ip: "192.0.2.1", created_at: at, refreshed_at: at, expires_at: at };
  const asked = answerRequests({
    "GET /api/v1/auth/sessions": () => [
      { ...session, id: "s1", is_current: true },
      { ...session, id: "s2", is_current: false, user_agent: "" },
    ],
    "DELETE /api/v1/auth/sessions/s2": () => null,
  });
  renderInApp(
    <ModalsProvider>
      <SessionsList />
    </ModalsProvider>,
  );
  await userEvent.click(await screen.findByRole("button", { name: "End the session Unknown program" }));
  await waitFor(() => expect(asked.map(({ method }) => method)).toContain("DELETE"));
  expect(screen.queryByRole("button", { name: "End the session Chrome, Linux" })).toBeNull();
});
