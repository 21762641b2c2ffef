import { fileURLToPath } from "node:url";

/** Where the build leaves the weights of the built-in models: `weights/` of this package. */
export const weightsFolder: string = fileURLToPath(new URL("../../weights", import.meta.url));
