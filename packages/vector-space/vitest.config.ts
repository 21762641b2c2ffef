import { defineConfig } from "vitest/config";

// Generous: machines may be busy, and no test depends on its duration.
export default defineConfig({ test: { testTimeout: 240_000, hookTimeout: 240_000 } });
