import { formParsers } from "./forms.js";
import { describeMegabytes } from "./megabytes.js";

describeMegabytes(formParsers);
