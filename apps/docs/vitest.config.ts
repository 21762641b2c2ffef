import { defineConfig } from "vitest/config";

// The site is built once for all tests. A browser is slow on a busy machine.
export default defineConfig({
  test: {
    globalSetup: ["test/build-once.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
