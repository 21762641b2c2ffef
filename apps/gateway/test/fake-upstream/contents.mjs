/** Inputs with images and media, in the two forms of servers with OpenAI's API. Anything else in them is refused. */

/** Tokens of each image, so that tests can compute sums. */
export const tokensPerImage = 100;

/** @typedef {{ content: readonly Record<string, unknown>[] }} Content */

/**
 * The only input of a conversation.
 * @param {unknown} messages
 * @returns {readonly unknown[]}
 */
export function inputOfMessages(messages) {
  const [message, ...others] = /** @type {Record<string, unknown>[]} */ (messages);
  if (message?.role !== "user" || others.length > 0) return [{ fault: "Expected one message of a user." }];
  const { role: _role, ...input } = message;
  return [input];
}

/**
 * Why an input is refused. Undefined for a text and for a content in the right form.
 * @param {unknown} input
 * @returns {string | undefined}
 */
export function contentFault(input) {
  if (typeof input === "string" || Array.isArray(input)) return undefined;
  const { content, ...others } = /** @type {Content} */ (input);
  if (Object.keys(others).length > 0 || !Array.isArray(content) || content.length === 0)
    return "Expected an object with content alone.";
  return content.map(partFault).find((fault) => fault !== undefined);
}

/** @param {Record<string, unknown>} part */
function partFault({ type, ...rest }) {
  const [field, value] = Object.entries(rest).length === 1 ? (Object.entries(rest)[0] ?? []) : [];
  if (type === "text" && field === "text") return typeof value === "string" ? undefined : "Not a text.";
  if (typeof type === "string" && type.startsWith("input_")) return mediaFault(type, field, value);
  if (type === "audio_url" || type === "video_url") return mediaUrlFault(type, field, value);
  if (type !== "image_url" || field !== "image_url") return "Expected a text or an image.";
  const { url, ...others } = /** @type {{ url: string }} */ (value);
  if (Object.keys(others).length > 0) return "Expected a URL alone.";
  const [, subtype, base64 = ""] = /^data:image\/(png|jpeg|webp);base64,(.+)$/.exec(url) ?? [];
  if (subtype === undefined) return "Only data URLs are taken.";
  const bytes = Buffer.from(base64, "base64");
  if (bytes.toString("base64") !== base64) return "The base64 is not canonical.";
  return bytes
    .subarray(0, 12)
    .toString("latin1")
    .includes(marks[subtype] ?? "?")
    ? undefined
    : "The image is of another type.";
}

/** @type {Readonly<Record<string, readonly string[]>>} */
const mediaOf = {
  input_file: ["application/pdf"],
  input_audio: ["audio/wav", "audio/mpeg", "audio/flac", "audio/ogg"],
  input_video: ["video/mp4", "video/quicktime", "video/webm"],
};

/**
 * OpenRouter's form.
 * @param {string} type
 * @param {string | undefined} field
 * @param {unknown} value
 */
function mediaFault(type, field, value) {
  const { data, format, ...others } = /** @type {{ data: string; format: string }} */ (value ?? {});
  if (field !== type || Object.keys(others).length > 0 || typeof format !== "string") return "Not media.";
  return mediaOf[type]?.some((mime) => data.startsWith(`data:${mime};base64,`)) ? undefined : "Wrong type.";
}

/**
 * vLLM's form.
 * @param {string} type
 * @param {string | undefined} field
 * @param {unknown} value
 */
function mediaUrlFault(type, field, value) {
  const { url, ...others } = /** @type {{ url: string }} */ (value ?? {});
  if (field !== type || Object.keys(others).length > 0) return "Not media.";
  return url.startsWith(`data:${type.slice(0, 5)}/`) ? undefined : "Wrong type.";
}

/** @type {Readonly<Record<string, string>>} */
const marks = { png: "PNG", jpeg: "\xff\xd8\xff", webp: "WEBP" };

/** @param {unknown} input */
export function contentTokens(input) {
  const { content } = /** @type {Content} */ (input);
  return content.reduce(
    (sum, { text }) => sum + (typeof text === "string" ? text.length : tokensPerImage),
    0,
  );
}

/**
 * OpenRouter's details, for calls with contents.
 * @param {readonly unknown[]} inputs
 * @param {number} tokens
 */
export function imageDetails(inputs, tokens) {
  const contents = inputs.filter((input) => typeof input === "object" && !Array.isArray(input));
  if (contents.length === 0) return {};
  const parts = contents.flatMap((input) => /** @type {Content} */ (input).content);
  /** @param {...string} types */
  const tokensOf = (...types) =>
    tokensPerImage * parts.filter(({ type }) => types.includes(/** @type {string} */ (type))).length;
  const image_tokens = tokensOf("image_url");
  const file_tokens = tokensOf("input_file");
  const audio_tokens = tokensOf("input_audio", "audio_url");
  const video_tokens = tokensOf("input_video", "video_url");
  const text_tokens = tokens - image_tokens - file_tokens - audio_tokens - video_tokens;
  return {
    prompt_tokens_details: { text_tokens, image_tokens, file_tokens, audio_tokens, video_tokens },
  };
}
