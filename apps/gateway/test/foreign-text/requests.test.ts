import { describeMegabytes } from "./megabytes.js";
import { requestParsers } from "./requests.js";

describeMegabytes(requestParsers);
