import { fileURLToPath, URL } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const api = process.env.LECTERN_API_URL ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: { proxy: { "/api": api, "/health": api, "/ready": api } },
  // the manifest tells scripts/check-budget.mjs what each page loads
  build: {
    target: "es2022",
    manifest: true,
    chunkSizeWarningLimit: 900,
    // pdf.js has cursors and icons of tools that are not used: as files of their own they are never fetched
    assetsInlineLimit: (file) => (file.endsWith(".svg") ? false : undefined),
  },
  test: {
    environment: "happy-dom",
    setupFiles: ["./src/test-setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
    css: false,
  },
});
