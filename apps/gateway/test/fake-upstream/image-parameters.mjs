/** @import { ReceivedRequest } from "./script.js" */

const common = ["model", "prompt", "n", "size", "quality", "user"];
const gptImage = [
  ...common,
  "background",
  "moderation",
  "output_format",
  "output_compression",
  "input_fidelity",
  "stream",
  "partial_images",
];
const dallE = [...common, "style", "response_format"];

/**
 * Models of this name answer as those of OpenAI did.
 * @param {unknown} model
 */
export function isDallE(model) {
  return /^dall-?e/.test(String(model));
}

/**
 * What the real API answers 400 to; undefined where it does not.
 * @param {ReceivedRequest} request
 * @returns {{ message: string, param: string, code?: string } | undefined}
 */
export function faultOfParameters({ body, parts }) {
  const known = isDallE(body.model) ? dallE : gptImage;
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined)
    return { message: `Unknown parameter: '${unknown}'.`, code: "unknown_parameter", param: unknown };
  const files = parts.filter(({ filename }) => filename !== undefined);
  if (files.filter(({ name }) => name === "image").length > 1)
    return { message: "Duplicate parameter: 'image'.", param: "image" };
  const wrong = files.find(({ type }) => type === undefined || !/^image\/(png|jpeg|webp)$/.test(type));
  if (wrong === undefined) return undefined;
  return {
    message: `unsupported mimetype ('${wrong.type}')`,
    code: "unsupported_file_mimetype",
    param: wrong.name,
  };
}
