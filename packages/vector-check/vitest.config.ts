import { defineConfig } from "vitest/config";

// A machine may be busy; no test depends on how long it takes.
export default defineConfig({ test: { testTimeout: 120_000, hookTimeout: 60_000 } });
