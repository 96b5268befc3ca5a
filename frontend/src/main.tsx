import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./app/fonts/fonts.css";
import "./app/app.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/app";
import { meQuery } from "@/features/session/use-session";
import { registerShareWorker } from "@/features/uploads/dialog/shared-files";
import { languageReady } from "@/lib/i18n/i18n";
import { queryClient } from "@/lib/query-client";

const root = document.getElementById("root");
const FONTS_WAIT_MS = 1_000;

/** The fonts are on their way before this code: waiting for them keeps the text from moving under the reader. */
const fontsReady = Promise.race([
  Promise.all(["400 1em Inter", "500 1em 'Source Serif 4'"].map((font) => document.fonts.load(font))),
  new Promise((resolve) => setTimeout(resolve, FONTS_WAIT_MS)),
]).catch(() => undefined);

void queryClient.prefetchQuery(meQuery()); // every page waits for it
registerShareWorker();

// the first thing that is read is in the reader's language already
if (root) {
  await Promise.all([languageReady, fontsReady]);
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
