export { base64Bytes } from "./base64";
export { countNumbers } from "./numbers";
