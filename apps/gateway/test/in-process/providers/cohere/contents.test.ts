import { describeContents } from "../contents-suite.js";
import { cohereContents } from "./content-suites.js";

for (const suite of cohereContents) describeContents(suite);
