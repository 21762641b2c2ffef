import { defineSuite } from "@model-gateway/test-suite";

export default defineSuite([
  // Behind UTC: what is of a day or a month in UTC must not be taken for that of the place.
  { name: "unit", files: ["src/**/*.test.ts", "test/*.test.ts"], env: { TZ: "Pacific/Honolulu" } },
  {
    name: "browser",
    files: ["test/browser/**/*.test.ts"],
    areSlow: true,
    globalSetup: ["../gateway/test/temporary-folder.ts"],
  },
]);
