import { describeContents } from "../contents-suite.js";
import { vertexContents } from "./content-suites.js";

describeContents(vertexContents);
