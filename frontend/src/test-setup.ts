import "@testing-library/jest-dom/vitest";
import { notifications } from "@mantine/notifications";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { applyLanguage, loadPageTexts } from "@/lib/i18n/i18n";

// tests change to Italian at once
await loadPageTexts();
await applyLanguage("it");
await applyLanguage("en");

// a busy machine is no wrong result
configure({ asyncUtilTimeout: 10_000 });

// files share a process, and notifications outlive what shows them
afterEach(() => {
  cleanup();
  notifications.clean();
});
