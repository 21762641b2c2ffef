/** @import { Behaviour, ReceivedRequest, Reply } from "./script.js" */
import { lies } from "./lies.mjs";
import { errorReply, remember, wholeReply } from "./reply.mjs";
import { createNoise, createSolid, tinyPng } from "./sample-images.mjs";

const created = 1787150086;
const usage = {
  input_tokens: 10,
  input_tokens_details: { text_tokens: 10, image_tokens: 0 },
  output_tokens: 100,
  output_tokens_details: { text_tokens: 0, image_tokens: 100 },
  total_tokens: 110,
};
/** The same for every image, true or not: the gateway must inspect images itself. */
const described = { background: "opaque", output_format: "png", quality: "high", size: "1024x1024" };

/** Writes image replies as gpt-image models do, or as DALL-E did for models of that name. Images are cached. */
export class Images {
  /** @type {Map<string, Promise<string>>} */
  #encoded = new Map();
  /** @type {Map<string, Reply>} */
  #replies = new Map();

  /**
   * @param {ReceivedRequest} request
   * @param {Behaviour} behaviour
   * @param {{ lie: string | undefined, address: string }} more
   * @returns {Reply | Promise<Reply>}
   */
  reply(request, behaviour, { lie, address }) {
    const refusal = checkParameters(request);
    if (refusal !== undefined) return errorReply(400, refusal);
    const { model, n, size, background, output_format, response_format, stream, partial_images } =
      request.body;
    const reported = reportedFields(request.body);
    const isEdit = request.path.endsWith("/edits");
    const isLink = isDallE(model) && response_format !== "b64_json";
    const options = { size, background, output_format };
    const key = JSON.stringify([behaviour.images, options, n, isDallE(model), isLink, lie, reported]);
    const known = stream === undefined ? this.#replies.get(key) : undefined;
    if (known !== undefined) return known;

    /** @param {string} b64_json */
    const write = (b64_json) => {
      const image = isLink ? { url: `${address}/images/a.png` } : { b64_json };
      const data = Array(Number(n ?? 1)).fill(image);
      const returned = lie === undefined ? data : (lies[lie]?.(data) ?? []);
      if (String(stream) === "true") {
        const verb = isEdit ? "image_edit" : "image_generation";
        return writeStream(returned, { verb, b64_json, partials: Number(partial_images ?? 0), reported });
      }
      const more = isDallE(model) ? {} : { ...described, usage, ...reported };
      const reply = wholeReply([Buffer.from(JSON.stringify({ created, data: returned, ...more }))]);
      remember(this.#replies, key, reply);
      return reply;
    };
    const image = this.#image(behaviour.images ?? "tiny", options);
    return typeof image === "string" ? write(image) : image.then(write);
  }

  /**
   * An image in base64. Without a promise for the tiny one, which benchmarks use.
   * @param {NonNullable<Behaviour["images"]>} images
   * @param {Readonly<Record<string, unknown>>} options
   * @returns {string | Promise<string>}
   */
  #image(images, options) {
    const isNoPng = options.output_format === "gif" || options.output_format === "svg";
    if (images === "tiny" && !isNoPng) return tiny;
    const key = JSON.stringify([images, options]);
    const known = this.#encoded.get(key);
    if (known !== undefined) return known;
    const created = typeof images === "number" ? createNoise(images) : createSolid(options);
    const text = created.then((content) => content.toString("base64"));
    remember(this.#encoded, key, text);
    return text;
  }
}

const tiny = tinyPng.toString("base64");

/**
 * One chunk for each event.
 * @param {unknown[]} images
 * @param {{ verb: string, b64_json: string, partials: number, reported: object }} stream
 * @returns {Reply}
 */
function writeStream(images, { verb, b64_json, partials, reported }) {
  const partial = { type: `${verb}.partial_image`, b64_json, created_at: created, ...described };
  const events = [
    ...Array.from({ length: partials }, (_, index) => ({ ...partial, partial_image_index: index })),
    ...images.map((image) =>
      typeof image === "object" && image !== null && "error" in image
        ? { type: "error", ...image }
        : {
            type: `${verb}.completed`,
            .../** @type {object} */ (image),
            created_at: created,
            ...described,
            usage,
            ...reported,
          },
    ),
  ];
  return {
    status: 200,
    headers: { "content-type": "text/event-stream" },
    chunks: events.map((event) => Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)),
  };
}

/**
 * Request fields that the reply repeats.
 * @param {ReceivedRequest["body"]} body
 * @returns {object}
 */
function reportedFields({ safety_identifier, svg }) {
  return {
    ...(safety_identifier === undefined ? {} : { safety_identifier }),
    ...(svg === undefined ? {} : { svg_usage: svgUsage }),
  };
}

const svgUsage = {
  model: "svg-author",
  input_tokens: 900,
  output_tokens: 2100,
  reasoning_tokens: 300,
  total_tokens: 3000,
};

const commonParameters = ["model", "prompt", "n", "size", "quality", "user"];
const gptImageParameters = [
  ...commonParameters,
  "background",
  "moderation",
  "output_format",
  "output_compression",
  "input_fidelity",
  "stream",
  "partial_images",
  "safety_identifier",
  "complexity",
  "frame_count",
  "frame_duration_ms",
  "svg",
];
/** Models with this name take the parameters of diffusion servers. */
const diffusionParameters = [...gptImageParameters, "seed", "steps"];
const dallEParameters = [...commonParameters, "style", "response_format"];

/**
 * Models of this name reply as OpenAI's DALL-E models did.
 * @param {unknown} model
 */
function isDallE(model) {
  return /^dall-?e/.test(String(model));
}

/**
 * The form of an edit has no moderation; its JSON has images.
 * @param {string} name
 * @param {Pick<ReceivedRequest, "path" | "body" | "parts">} request
 */
function isKnown(name, { path, body, parts }) {
  const own = String(body.model).startsWith("diffusion") ? diffusionParameters : gptImageParameters;
  const known = isDallE(body.model) ? dallEParameters : own;
  if (!path.endsWith("/edits")) return known.includes(name);
  if (parts.length > 0) return known.includes(name) && name !== "moderation";
  return known.includes(name) || name === "images" || name === "mask";
}

/**
 * The error of a request that the real API refuses with a 400.
 * @param {ReceivedRequest} request
 * @returns {{ message: string, param: string, code?: string } | undefined}
 */
function checkParameters({ path, body, parts }) {
  const unknown = Object.keys(body).find((name) => !isKnown(name, { path, body, parts }));
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
