import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { applyLanguage, loadPageTexts } from "@/lib/i18n/i18n";

// tests change to Italian at once
await loadPageTexts();
await applyLanguage("it");
await applyLanguage("en");

// a busy machine is no wrong result
configure({ asyncUtilTimeout: 10_000 });

afterEach(cleanup);
