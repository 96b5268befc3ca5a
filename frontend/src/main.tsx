import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./app/app.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/app";
import { languageReady } from "@/lib/i18n/i18n";

const root = document.getElementById("root");
// the first thing that is read is in the reader's language already
if (root) {
  await languageReady;
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
