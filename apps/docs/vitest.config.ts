import { defineConfig } from "vitest/config";

// A browser on a busy machine takes its time.
export default defineConfig({ test: { testTimeout: 120_000, expect: { poll: { timeout: 10_000 } } } });
