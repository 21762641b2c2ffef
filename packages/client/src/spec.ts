/** The API as the spec has it. The built client has copies of these files (`copy-unpublished.mjs`). */
export type { components, errorCodes, operations, paths } from "@model-gateway/spec";
export { type ClientMethod, type ClientMethods, clientMethods } from "@model-gateway/spec/client-methods";
