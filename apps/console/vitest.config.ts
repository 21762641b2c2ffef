import { defineSuite } from "@model-gateway/test-suite";

export default defineSuite([
  { name: "unit", files: ["src/**/*.test.ts", "test/*.test.ts"] },
  {
    name: "browser",
    files: ["test/browser/**/*.test.ts"],
    areSlow: true,
    globalSetup: ["../gateway/test/temporary-folder.ts"],
  },
]);
