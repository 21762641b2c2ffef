/** @import { Behaviour, ReceivedRequest, Reply } from "./script.js" */

import { contentFault, contentTokens, imageDetails, inputOfMessages } from "./contents.mjs";
import { lies } from "./lies.mjs";
import { errorReply, jsonReply, remember, wholeReply } from "./reply.mjs";
import { commonText, ownText, toBase64, vectorOf } from "./vectors.mjs";

/** @typedef {{ width: number, encoding: "float" | "base64" }} Form */

const nativeWidth = 8;

/** Writes embeddings replies. The part that all vectors of a width have in common is cached. */
export class Embeddings {
  /** @type {Map<string, Reply>} */
  #alike = new Map();
  /** @type {Map<string, Buffer>} */
  #commonTexts = new Map();

  /**
   * @param {ReceivedRequest} request
   * @param {Behaviour} behaviour
   * @param {string | undefined} lie
   * @returns {Reply}
   */
  reply({ body }, behaviour, lie) {
    const { model, input, messages, dimensions, encoding_format } = body;
    const inputs = messages === undefined ? inputsOf(input) : inputOfMessages(messages);
    const fault = inputs.map(contentFault).find((one) => one !== undefined);
    if (fault !== undefined) return errorReply(400, { message: fault });
    const isAlike = behaviour.vectors === "alike";
    const key = isAlike
      ? `${inputs.length} ${dimensions} ${encoding_format} ${behaviour.width} ${model}`
      : "";
    const known = isAlike ? this.#alike.get(key) : undefined;
    if (known !== undefined) return known;
    const tokens = inputs.reduce((/** @type {number} */ sum, each) => sum + tokensOf(each), 0);
    const refusal = refuse({ inputs: inputs.length, tokens }, behaviour);
    if (refusal !== undefined) return refusal;
    /** @type {Form} */
    const form = {
      width: Number(dimensions ?? behaviour.width ?? nativeWidth),
      encoding: behaviour.encoding ?? (encoding_format === "base64" ? "base64" : "float"),
    };
    const usage = { prompt_tokens: tokens, total_tokens: tokens, ...imageDetails(inputs, tokens) };
    const end = `"model":${JSON.stringify(model)},"usage":${JSON.stringify(usage)}}`;
    if (lie !== undefined) return lyingReply(lie, { inputs, form, end });
    const embedded = behaviour.imageVectors === "other" ? inputs.map(withOtherContent) : inputs;
    const texts = isAlike ? inputs.map(() => "") : embedded;
    const reply = this.#trueReply(texts, { ...form, isReversed: behaviour.order === "reversed", end });
    if (isAlike) remember(this.#alike, key, { ...reply, chunks: [Buffer.concat(reply.chunks)] });
    return reply;
  }

  /**
   * @param {readonly unknown[]} inputs
   * @param {Form & { isReversed: boolean, end: string }} form
   * @returns {Reply}
   */
  #trueReply(inputs, form) {
    const common = this.#commonText(form);
    const [open, close] = form.encoding === "float" ? ["[", "]"] : ['"', '"'];
    /** @type {Buffer[]} */
    const chunks = [];
    let text = '{"object":"list","data":[';
    for (let position = 0; position < inputs.length; position += 1) {
      const index = form.isReversed ? inputs.length - 1 - position : position;
      text += `${position === 0 ? "" : ","}{"object":"embedding","index":${index},"embedding":${open}`;
      text += ownText(inputs[index], form);
      if (common.length > 0) {
        chunks.push(Buffer.from(text), common);
        text = "";
      }
      text += `${close}}`;
    }
    chunks.push(Buffer.from(`${text}],${form.end}`));
    return wholeReply(chunks);
  }

  /** @param {Form} form */
  #commonText(form) {
    const key = `${form.width} ${form.encoding}`;
    const known = this.#commonTexts.get(key);
    if (known !== undefined) return known;
    const text = commonText(form);
    this.#commonTexts.set(key, text);
    return text;
  }
}

/**
 * @param {unknown} input
 * @returns {readonly unknown[]}
 */
function inputsOf(input) {
  return Array.isArray(input) && typeof input[0] !== "number" ? input : [input];
}

/**
 * Stands for a content in its vector alone.
 * @param {unknown} input
 */
function withOtherContent(input) {
  return typeof input === "string" || Array.isArray(input) ? input : { other: input };
}

/**
 * Every character is a token, so that tests can compute sums.
 * @param {unknown} input
 */
function tokensOf(input) {
  const { length } = /** @type {{ length?: number }} */ (input);
  return length ?? contentTokens(input);
}

/**
 * @param {{ inputs: number, tokens: number }} counts
 * @param {Behaviour} behaviour
 * @returns {Reply | undefined}
 */
function refuse({ inputs, tokens }, { inputsMax = Infinity, tokensMax = Infinity }) {
  if (inputs > inputsMax) {
    const message = `batch size ${inputs} > maximum allowed batch size ${inputsMax}`;
    return jsonReply(422, { message, code: 422, type: "Validation" });
  }
  if (tokens > tokensMax) {
    return errorReply(400, { message: `Requested ${tokens} tokens, max ${tokensMax} tokens per request` });
  }
  return undefined;
}

/**
 * @param {string} lie
 * @param {{ inputs: readonly unknown[], form: Form, end: string }} truth
 * @returns {Reply}
 */
function lyingReply(lie, { inputs, form, end }) {
  const data = inputs.map((input, index) => {
    const vector = vectorOf(input, form.width);
    return { object: "embedding", index, embedding: form.encoding === "base64" ? toBase64(vector) : vector };
  });
  const json = JSON.stringify(lies[lie]?.(data), (_key, value) => (Number.isNaN(value) ? "NaN" : value));
  // NaN is not JSON, but some servers write it.
  return wholeReply([Buffer.from(`{"object":"list","data":${json.replaceAll('"NaN"', "NaN")},${end}`)]);
}
