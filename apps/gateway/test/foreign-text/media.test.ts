import { mediaParsers } from "./media.js";
import { describeMegabytes } from "./megabytes.js";

describeMegabytes(mediaParsers);
