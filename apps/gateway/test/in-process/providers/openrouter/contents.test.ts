import { describeContents } from "../contents-suite.js";
import { openRouterContents } from "./content-suites.js";

describeContents(openRouterContents);
