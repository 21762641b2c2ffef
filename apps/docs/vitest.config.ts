import { defineSuite } from "@model-gateway/test-suite";

export default defineSuite([
  { name: "unit", files: ["{frame,markdown,reference}/**/*.test.ts", "*.test.ts"] },
  { name: "browser", files: ["test/**/*.test.ts"], globalSetup: ["test/build-once.ts"] },
]);
