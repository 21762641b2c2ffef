import { defineSuite } from "@model-gateway/test-suite";

const globalSetup = ["test/build-once.ts"];

export default defineSuite([
  { name: "unit", files: ["{diagrams,frame,markdown,pages,reference,search}/**/*.test.ts", "*.test.ts"] },
  { name: "site", files: ["test/*.test.ts"], globalSetup },
  { name: "browser", files: ["test/browser/**/*.test.ts"], areSlow: true, globalSetup },
]);
