import { describeContents } from "../contents-suite.js";
import { jinaContents } from "./content-suites.js";

for (const suite of jinaContents) describeContents(suite);
