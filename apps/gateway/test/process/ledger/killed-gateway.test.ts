import { describeStages } from "../../servers/stages.js";
import { testKills } from "./kill-gateway.js";

/** `KILLS=20` for the long test. */
const kills = Number(process.env.KILLS ?? 4);

describeStages("a gateway that is killed again and again", (stage) => testKills(stage, kills));
