import { describeMegabytes } from "./megabytes.js";
import { replyParsers } from "./replies.js";

describeMegabytes(replyParsers);
