import { imageParsers } from "./images.js";
import { describeMegabytes } from "./megabytes.js";

describeMegabytes(imageParsers);
