import { describeMegabytes } from "./megabytes.js";
import { textParsers } from "./texts.js";

describeMegabytes(textParsers);
