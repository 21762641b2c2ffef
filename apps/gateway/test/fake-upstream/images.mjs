/** @import { Behaviour, ReceivedRequest, Reply } from "./script.js" */
import { faultOfParameters, isDallE } from "./image-parameters.mjs";
import { lies } from "./lies.mjs";
import { draw, drawNoise, tinyPng } from "./pictures.mjs";
import { remember } from "./remember.mjs";
import { errorReply, wholeReply } from "./reply.mjs";

const created = 1787150086;
const usage = {
  input_tokens: 10,
  input_tokens_details: { text_tokens: 10, image_tokens: 0 },
  output_tokens: 100,
  output_tokens_details: { text_tokens: 0, image_tokens: 100 },
  total_tokens: 110,
};
/** Said of every image, true or not: the gateway is to look for itself. */
const described = { background: "opaque", output_format: "png", quality: "high", size: "1024x1024" };

/** Makes answers as gpt-image models do, or as those named dall-e did. Images are drawn and written down once. */
export class Images {
  /** @type {Map<string, Promise<string>>} */
  #drawn = new Map();
  /** @type {Map<string, Reply>} */
  #replies = new Map();

  /**
   * @param {ReceivedRequest} request
   * @param {Behaviour} behaviour
   * @param {{ lie: string | undefined, address: string }} more
   * @returns {Reply | Promise<Reply>}
   */
  reply(request, behaviour, { lie, address }) {
    const fault = faultOfParameters(request);
    if (fault !== undefined) return errorReply(400, fault);
    const { model, n, size, background, output_format, response_format, stream, partial_images } =
      request.body;
    const isEdit = request.path.endsWith("/edits");
    const isLink = isDallE(model) && response_format !== "b64_json";
    const asked = { size, background, output_format };
    const key = JSON.stringify([behaviour.images, asked, n, isDallE(model), isLink, lie]);
    const known = stream === undefined ? this.#replies.get(key) : undefined;
    if (known !== undefined) return known;

    /** @param {string} b64_json */
    const write = (b64_json) => {
      const image = isLink ? { url: `${address}/images/a.png` } : { b64_json };
      const data = Array(Number(n ?? 1)).fill(image);
      const told = lie === undefined ? data : (lies[lie]?.(data) ?? []);
      if (String(stream) === "true") {
        const verb = isEdit ? "image_edit" : "image_generation";
        return writeStream(told, { verb, b64_json, partials: Number(partial_images ?? 0) });
      }
      const more = isDallE(model) ? {} : { ...described, usage };
      const reply = wholeReply([Buffer.from(JSON.stringify({ created, data: told, ...more }))]);
      remember(this.#replies, key, reply);
      return reply;
    };
    const drawn = this.#draw(behaviour.images ?? "tiny", asked);
    return typeof drawn === "string" ? write(drawn) : drawn.then(write);
  }

  /**
   * An image in base64.
   * @param {NonNullable<Behaviour["images"]>} images
   * @param {Readonly<Record<string, unknown>>} asked
   * @returns {string | Promise<string>}
   */
  #draw(images, asked) {
    if (images === "tiny") return tiny;
    const key = JSON.stringify([images, asked]);
    const known = this.#drawn.get(key);
    if (known !== undefined) return known;
    const drawn = images === "drawn" ? draw(asked) : drawNoise(images);
    const text = drawn.then((content) => content.toString("base64"));
    remember(this.#drawn, key, text);
    return text;
  }
}

const tiny = tinyPng.toString("base64");

/**
 * One chunk an event.
 * @param {unknown[]} told
 * @param {{ verb: string, b64_json: string, partials: number }} stream
 * @returns {Reply}
 */
function writeStream(told, { verb, b64_json, partials }) {
  const partial = { type: `${verb}.partial_image`, b64_json, created_at: created, ...described };
  const events = [
    ...Array.from({ length: partials }, (_, index) => ({ ...partial, partial_image_index: index })),
    ...told.map((image) =>
      typeof image === "object" && image !== null && "error" in image
        ? { type: "error", ...image }
        : {
            type: `${verb}.completed`,
            .../** @type {object} */ (image),
            created_at: created,
            ...described,
            usage,
          },
    ),
  ];
  return {
    status: 200,
    headers: { "content-type": "text/event-stream" },
    chunks: events.map((event) => Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)),
  };
}
