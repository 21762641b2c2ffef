export { base64Bytes, decodeLetters, hasBase64Letters } from "./base64";
export { writeNumbers } from "./decimals";
export { countNumbers } from "./numbers";
