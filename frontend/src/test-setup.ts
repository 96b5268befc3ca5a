import "@testing-library/jest-dom/vitest";
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";
import { i18n } from "@/lib/i18n/i18n";
import it from "@/lib/i18n/it.json";

// tests change to Italian at once
i18n.addResourceBundle("it", "translation", it);

afterEach(cleanup);
