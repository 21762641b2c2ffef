import { largestImages } from "./largest-images.js";
import { describeMegabytes } from "./megabytes.js";

describeMegabytes(largestImages);
