import { defineSuite } from "@model-gateway/test-suite";

const globalSetup = ["test/temporary-folder.ts"];

// The projects, and where a new test goes: test/README.md.
export default defineSuite([
  {
    name: "unit",
    files: [
      "src/**/*.test.ts",
      "bench/**/*.test.ts",
      "test/{fake-upstream,foreign-text,gateway,repository}/**/*.test.ts",
    ],
    globalSetup,
  },
  { name: "gateway", files: ["test/in-process/**/*.test.ts"], globalSetup },
  { name: "process", files: ["test/process/**/*.test.ts"], isolated: true, areSlow: true, globalSetup },
  { name: "browser", files: ["test/browser/**/*.test.ts"], isolated: true, areSlow: true, globalSetup },
]);
