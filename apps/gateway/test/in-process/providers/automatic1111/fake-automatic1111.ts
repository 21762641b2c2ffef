import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { readRequest } from "../../../fake-upstream/read-request.mjs";
import type { ReceivedRequest } from "../../../fake-upstream/script.js";
import { paintMasked } from "../paint-masked.js";

export const checkpoint = "dreamshaper_8.safetensors [879db523c3]";
export const credentials = { username: "artist", password: "api-password-0123456789" };

/** A web UI that refuses fields it does not know. The real one ignores them, and a mistake would not show. */
export interface FakeAutomatic1111 {
  readonly baseUrl: string;
  /** Every request that was authorised, in order. */
  readonly received: ReceivedRequest[];
  /** Replies for the next images, before the request is looked at. */
  readonly failures: { readonly status: number; readonly body: object }[];
  close(): Promise<void>;
}

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === "string";
const isBoolean: Check = (value) => typeof value === "boolean";
const isInteger =
  (min: number, max: number): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
const isSide: Check = (value) => isInteger(64, 2048)(value) && Number(value) % 8 === 0;

const common: Readonly<Record<string, Check>> = {
  prompt: isText,
  negative_prompt: isText,
  seed: isInteger(-1, 4_294_967_295),
  steps: isInteger(1, 150),
  width: isSide,
  height: isSide,
  batch_size: isInteger(1, 4),
  n_iter: isInteger(1, 100),
  override_settings: (value) => typeof value === "object",
  override_settings_restore_afterwards: isBoolean,
  send_images: isBoolean,
  save_images: isBoolean,
};
const fields: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  "/sdapi/v1/txt2img": common,
  "/sdapi/v1/img2img": {
    ...common,
    init_images: (value) => Array.isArray(value) && value.length === 1 && value.every(isText),
    mask: isText,
    mask_blur: isInteger(0, 64),
    inpaint_full_res: isBoolean,
    inpainting_fill: isInteger(0, 3),
    inpainting_mask_invert: isInteger(0, 1),
  },
};

/** @param isClosed Whether it was started with `--api-auth`. */
export async function startFakeAutomatic1111(isClosed: boolean): Promise<FakeAutomatic1111> {
  const received: ReceivedRequest[] = [];
  const failures: FakeAutomatic1111["failures"] = [];
  const { username, password } = credentials;
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) =>
    readRequest(request, (got) => {
      if (isClosed && got.headers.authorization !== expected)
        return send(response, 401, { detail: "Incorrect username or password" });
      received.push(got);
      if (request.method === "GET" && got.path === "/sdapi/v1/sd-models") return send(response, 200, models);
      const failure = failures.shift();
      if (failure !== undefined) return send(response, failure.status, failure.body);
      answer(got, response).catch(() =>
        send(response, 500, {
          error: "HTTPException",
          detail: "Invalid encoded image",
          body: "",
          errors: "",
        }),
      );
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    received,
    failures,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const models = [
  {
    title: "v1-5-pruned.safetensors",
    model_name: "v1-5-pruned",
    hash: null,
    sha256: null,
    filename: "/models/v1-5-pruned.safetensors",
    config: null,
  },
  {
    title: checkpoint,
    model_name: "dreamshaper_8",
    hash: "879db523c3",
    sha256: "879db523c3".padEnd(64, "0"),
    filename: "/models/sd/dreamshaper_8.safetensors",
    config: null,
  },
];

async function answer({ path, body }: ReceivedRequest, response: ServerResponse): Promise<void> {
  const checks = fields[path];
  if (checks === undefined) return send(response, 404, { detail: "Not Found" });
  for (const [name, value] of Object.entries(body)) {
    const check = checks[name];
    const msg = check === undefined ? "extra fields not permitted" : "value is not valid";
    if (check?.(value) !== true)
      return send(response, 422, { detail: [{ loc: ["body", name], msg, type: "value_error" }] });
  }
  const {
    width = 512,
    height = 512,
    batch_size: count = 1,
    prompt,
  } = body as Record<string, number | undefined>;
  const image = await (path.endsWith("txt2img")
    ? sharp({ create: { width, height, channels: 3, background: "teal" } })
    : edited(body, width, height));
  const content = (await image.png().toBuffer()).toString("base64");
  const hasGrid = String(prompt).includes("grid");
  const grid = hasGrid
    ? [
        (
          await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
            .png()
            .toBuffer()
        ).toString("base64"),
      ]
    : [];
  send(response, 200, {
    images: [...grid, ...Array<string>(count).fill(content)],
    parameters: { ...body, init_images: null, mask: null },
    info: JSON.stringify({
      prompt,
      all_seeds: Array(count).fill(1),
      index_of_first_image: grid.length,
      images: ["none"],
    }),
  });
}

async function edited(body: ReceivedRequest["body"], width: number, height: number) {
  const [init] = body.init_images as string[];
  const image = await sharp(Buffer.from(init ?? "", "base64"))
    .resize(width, height, { fit: "fill" })
    .png()
    .toBuffer();
  if (body.mask === undefined) return sharp(image).negate({ alpha: false });
  const mask = await binaryMask(Buffer.from(String(body.mask), "base64"));
  return paintMasked(image, body.inpainting_mask_invert === 1 ? await sharp(mask).negate().toBuffer() : mask);
}

/** If the mask's alpha varies, it counts and opaque pixels are edited. Otherwise the white ones are. */
async function binaryMask(mask: Buffer): Promise<Buffer> {
  const { isOpaque } = await sharp(mask).stats();
  return isOpaque ? mask : sharp(mask).extractChannel("alpha").png().toBuffer();
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
