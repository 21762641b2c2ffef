import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts"],
    globalSetup: "test/temporary-folder.ts",
    // Only a hang takes this long. A machine may be so busy that a test takes twenty times what it usually does.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // On such a machine a gateway takes half a minute to start. The default is one second.
    expect: { poll: { timeout: 120_000 } },
    maxWorkers: 2,
    reporters: ["default", "./test/failed-files.ts"],
  },
});
