import { fileURLToPath } from "node:url";
import { sourceAliases } from "@model-gateway/test-suite";
import { filesOfTier } from "@model-gateway/test-suite/tier";
import { defineConfig } from "vitest/config";

/** The short unit tests. A change can make one hang, so they wait less than they do elsewhere. */
export default defineConfig({
  resolve: { alias: sourceAliases },
  test: {
    root: fileURLToPath(new URL("../../../", import.meta.url)),
    ...filesOfTier(["apps/gateway/src/**/*.test.ts", "packages/*/src/**/*.test.ts"], { areSlow: false }),
    isolate: false,
    globalSetup: ["apps/gateway/test/temporary-folder.ts"],
    testTimeout: 10_000,
    hookTimeout: 10_000,
    expect: { poll: { timeout: 5000 } },
  },
});
