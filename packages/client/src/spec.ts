/** The types of the API. The build replaces this file's declarations with the generated ones (`copy-unpublished.mjs`). */
export type { components, errorCodes, operations, paths } from "@model-gateway/spec";
