/// <reference types="vitest/config" />
import { fileURLToPath, URL } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const api = process.env.LECTERN_API_URL ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: { proxy: { "/api": api, "/v1": api, "/health": api, "/ready": api, "/.well-known": api } },
  build: {
    target: "es2022",
    chunkSizeWarningLimit: 1000,
    // pdf.js has cursors and icons of tools that are not used: as files of their own they are never fetched
    assetsInlineLimit: (file) => (file.endsWith(".svg") ? false : undefined),
    // few files: a hundred small ones wait for each other. What every page loads is one
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "app", tags: ["$initial"], priority: 1 },
            { name: "shared", minShareCount: 3, maxModuleSize: 8_000 },
          ],
        },
      },
    },
  },
  test: {
    environment: "happy-dom",
    setupFiles: ["./src/test-setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
    css: false,
    testTimeout: 30_000,
    isolate: false, // each file would load the libraries again
    maxWorkers: "100%", // vitest leaves one processor free, which is one of two in CI
    // one file instead of six thousand
    alias: { "@tabler/icons-react": "@tabler/icons-react/dist/cjs/tabler-icons-react.cjs" },
  },
});
