import { describe } from "vitest";
import { embedded } from "../../servers/stages.js";
import { testKills } from "./kill-gateway.js";

describe("a gateway that is killed once", () => testKills(embedded, 1));
