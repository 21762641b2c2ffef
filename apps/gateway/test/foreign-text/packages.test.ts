import { describeMegabytes } from "./megabytes.js";
import { packageParsers } from "./packages.js";

describeMegabytes(packageParsers);
