import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { readRequest } from "../../../fake-upstream/read-request.mjs";
import type { ReceivedRequest } from "../../../fake-upstream/script.js";
import { paintMasked } from "../paint-masked.js";

export const stabilityKey = "sk-stability-0123456789";

/** A server that speaks v2beta and refuses undocumented fields. */
export interface FakeStability {
  readonly baseUrl: string;
  /** Every request that was authorised, in order. */
  readonly received: ReceivedRequest[];
  /** Replies for the next requests, before they are looked at. */
  readonly failures: {
    readonly status: number;
    readonly body: object;
    readonly headers?: Record<string, string>;
  }[];
  close(): Promise<void>;
}

/** The fields of each endpoint. Those in capitals are files. */
const fields: Readonly<Record<string, readonly string[]>> = {
  "generate/core": ["prompt", "negative_prompt", "aspect_ratio", "seed", "output_format", "style_preset"],
  "generate/ultra": ["prompt", "negative_prompt", "aspect_ratio", "seed", "output_format", "style_preset"],
  "generate/sd3": [
    "prompt",
    "negative_prompt",
    "aspect_ratio",
    "seed",
    "output_format",
    "model",
    "mode",
    "cfg_scale",
  ],
  "edit/inpaint": [
    "prompt",
    "negative_prompt",
    "seed",
    "output_format",
    "grow_mask",
    "style_preset",
    "IMAGE",
    "MASK",
  ],
};
const ratios = ["21:9", "16:9", "3:2", "5:4", "1:1", "4:5", "2:3", "9:16", "9:21"];
const choices: Readonly<Record<string, (value: string, endpoint: string) => boolean>> = {
  prompt: (value) => value.length >= 1 && value.length <= 10_000,
  negative_prompt: (value) => value.length <= 10_000,
  aspect_ratio: (value) => ratios.includes(value),
  seed: (value) => /^\d+$/.test(value) && Number(value) <= 4_294_967_294,
  output_format: (value, endpoint) =>
    ["png", "jpeg", ...(endpoint === "generate/sd3" ? [] : ["webp"])].includes(value),
  model: (value) => ["sd3.5-large", "sd3.5-large-turbo", "sd3.5-medium"].includes(value),
  grow_mask: (value) => /^\d+$/.test(value) && Number(value) <= 20,
};

export async function startFakeStability(): Promise<FakeStability> {
  const received: ReceivedRequest[] = [];
  const failures: FakeStability["failures"] = [];
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) =>
    readRequest(request, (got, bytes) => {
      if (got.headers.authorization !== `Bearer ${stabilityKey}`)
        return refuse(response, 401, "unauthorized", "authorization: missing or invalid API key");
      received.push(got);
      const failure = failures.shift();
      if (failure !== undefined) {
        response.writeHead(failure.status, { "content-type": "application/json", ...failure.headers });
        return response.end(JSON.stringify(failure.body));
      }
      if (bytes > 10 * 1024 * 1024)
        return refuse(response, 413, "content_too_large", "body: larger than 10MiB");
      answer(got, response).catch((fault: unknown) => refuse(response, 500, "internal_error", String(fault)));
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v2beta`,
    received,
    failures,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function answer(got: ReceivedRequest, response: ServerResponse): Promise<void> {
  const endpoint = got.path.replace("/v2beta/stable-image/", "");
  const known = fields[endpoint];
  if (known === undefined) return refuse(response, 404, "not_found", `path: no such resource ${got.path}`);
  const fault = faultOf(got, endpoint, known);
  if (fault !== undefined) return refuse(response, 400, "bad_request", fault);
  const {
    prompt,
    output_format: format = "png",
    aspect_ratio: ratio = "1:1",
    seed = "0",
  } = got.body as Record<string, string>;
  if (prompt?.includes("forbidden"))
    return refuse(
      response,
      403,
      "content_moderation",
      "Your request was flagged by our content moderation system.",
    );
  const isFiltered = prompt?.includes("blur") === true;
  const image = endpoint === "edit/inpaint" ? await inpaint(got) : generated(ratio);
  const encoded = await (isFiltered ? image.blur(20) : image).toFormat(format as "png").toBuffer();
  response.writeHead(200, { "content-type": `application/json; type=image/${format}`, "x-request-id": "1" });
  response.end(
    JSON.stringify({
      image: encoded.toString("base64"),
      finish_reason: isFiltered ? "CONTENT_FILTERED" : "SUCCESS",
      seed: Number(seed) || 4_123_456_789,
    }),
  );
}

function faultOf(got: ReceivedRequest, endpoint: string, known: readonly string[]): string | undefined {
  if (!String(got.headers["content-type"]).startsWith("multipart/form-data"))
    return "content-type: must be multipart/form-data";
  if (!["application/json", "image/*"].includes(String(got.headers.accept)))
    return "accept: must be application/json or image/*";
  for (const { name, filename } of got.parts) {
    const isFile = known.includes(name.toUpperCase());
    if (!isFile && !known.includes(name)) return `${name}: is not allowed`;
    if (isFile !== (filename !== undefined)) return `${name}: must be ${isFile ? "a file" : "text"}`;
    if (got.parts.filter((part) => part.name === name).length > 1) return `${name}: must not be repeated`;
  }
  const names = got.parts.map(({ name }) => name);
  const required = endpoint === "edit/inpaint" ? ["prompt", "image"] : ["prompt"];
  const missing = required.find((name) => !names.includes(name));
  if (missing !== undefined) return `${missing}: cannot be blank`;
  const wrong = Object.entries(got.body).find(
    ([name, value]) => choices[name]?.(String(value), endpoint) === false,
  );
  return wrong && `${wrong[0]}: has an invalid value`;
}

/** An image of the ratio. The real ones have about a million pixels. */
function generated(ratio: string) {
  const [width = 1, height = 1] = ratio.split(":").map((side) => 8 * Number(side));
  return sharp({ create: { width, height, channels: 3, background: "teal" } });
}

/** Paints the masked pixels, or else the image's transparent pixels. */
async function inpaint({ parts }: ReceivedRequest) {
  const content = (name: string) => parts.find((part) => part.name === name)?.content;
  const image = content("image") ?? Buffer.alloc(0);
  const mask = content("mask");
  if (mask !== undefined && (await sharp(mask).metadata()).hasAlpha)
    throw new Error("A mask has no alpha channel.");
  return paintMasked(image, mask ?? (await sharp(image).extractChannel("alpha").negate().png().toBuffer()));
}

function refuse(response: ServerResponse, status: number, name: string, error: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ id: "e6d8c4b0f5a84a7b8e0c3d1f2a4b6c8d", name, errors: [error] }));
}
