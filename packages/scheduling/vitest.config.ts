import { defineSuite } from "@model-gateway/test-suite";

export default defineSuite();
