import { defineConfig } from "vitest/config";

// A browser is slow on a busy machine.
export default defineConfig({ test: { testTimeout: 120_000, expect: { poll: { timeout: 10_000 } } } });
