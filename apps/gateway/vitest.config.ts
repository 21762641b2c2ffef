import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts"],
    globalSetup: "test/temporary-folder.ts",
    // Only a hang takes this long. A machine may be so busy that a test takes twenty times what it usually does.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // The defaults of one second are too short for such a machine.
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    // In CI one stall of a shared machine among five thousand tests is not worth a whole run. What passed only at its
    // second try is listed after the run, and is to be mended.
    retry: process.env.CI === "true" ? 1 : 0,
    reporters: ["default", "./test/unsteady-tests.ts"],
  },
});
