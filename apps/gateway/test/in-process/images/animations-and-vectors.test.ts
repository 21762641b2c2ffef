import { S3Server } from "@model-gateway/object-store/test/s3-server";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { svgBytesMax } from "../../../src/images/delivery/inspect-svg.js";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";

const gif = await sharp({ create: { width: 4, height: 4, channels: 3, background: "red" } })
  .gif()
  .toBuffer();
const script = Buffer.from("<svg><script>alert(1)</script></svg>");
const hostile: readonly (readonly [name: string, format: string | undefined, content: Buffer])[] = [
  ["a png for a gif", "gif", tinyPng],
  ["a png for an svg", "svg", tinyPng],
  ["a gif for an svg", "svg", gif],
  ["an svg for a gif", "gif", Buffer.from("<svg></svg>")],
  ["a gif for a png", "png", gif],
  ["an svg for a png", "png", Buffer.from("<svg></svg>")],
  ["a gif where nothing was named", undefined, gif],
  ["an svg where nothing was named", undefined, Buffer.from("<svg></svg>")],
  ["a truncated gif", "gif", gif.subarray(0, -5)],
  ["a truncated svg", "svg", Buffer.from("<svg><g/>")],
  ["an empty svg", "svg", Buffer.from(" ")],
  ["an svg with a script", "svg", script],
  ["an svg with a huge text", "svg", Buffer.from(`<svg><text>${"a".repeat(svgBytesMax)}</text></svg>`)],
];

let upstream: FakeUpstream;
let bucket: S3Server;
/** One gateway keeps the images behind links on disk, the other in a bucket. */
const gateways = new Map<string, InProcessGateway>();

beforeAll(async () => {
  upstream = await startFakeUpstream({ script: { always: { images: "requested" } } });
  bucket = await S3Server.start();
  const models = `
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" }
  local: { provider: local }
models:
  newest: { type: image, profile: gpt-image-2.5, price: { perImage: 1 }, targets: [{ upstream: fake, model: image }] }
  vectors: { type: image, profile: { like: gpt-image, outputFormats: [svg], streaming: false }, targets: [{ upstream: fake, model: image }] }
  sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] }
${hostile.map((_row, index) => hostileModel(index)).join("\n")}`;
  gateways.set("disk", await startGateway(models));
  const images = JSON.stringify({ store: "s3", ...bucket.settings, linkSecret: "a".repeat(32) });
  gateways.set("bucket", await startGateway(`images: ${images}${models}`));
});
afterAll(async () => {
  for (const gateway of gateways.values()) await gateway.stop();
  await bucket.stop();
  await upstream.close();
});

/** Each has a separate target, since a circuit breaker opens after a few failures. */
function hostileModel(index: number): string {
  return `  hostile-${index}: { type: image, profile: gpt-image-2.5, targets: [{ upstream: fake, model: image-${index} }] }`;
}

const path = "/v1/images/generations";
const create = (fields: object, { store = "disk", headers = {} } = {}) => {
  const gateway = gateways.get(store);
  if (gateway === undefined) throw new Error(`There is no gateway with ${store}.`);
  return gateway.sendJson(path, { model: "newest", prompt: "a fox", ...fields }, { headers });
};

interface ImagesBody {
  readonly data: readonly { readonly url?: string; readonly b64_json?: string }[];
  readonly output_format: string;
  readonly size?: string;
}

test.each([
  { store: "disk", format: "gif", type: "image/gif", disposition: "inline" },
  { store: "disk", format: "svg", type: "image/svg+xml", disposition: "attachment" },
  { store: "bucket", format: "gif", type: "image/gif", disposition: "inline" },
  { store: "bucket", format: "svg", type: "image/svg+xml", disposition: "attachment" },
])("a link to a $format in a $store leads to its bytes, and is replayed", async (row) => {
  const headers = { "idempotency-key": `link-${row.store}-${row.format}` };
  const fields = { output_format: row.format, size: "32x16", response_format: "url" };
  const first = (await (await create(fields, { ...row, headers })).json()) as ImagesBody;
  const again = await create(fields, { ...row, headers });

  expect(await again.json()).toEqual(first);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  const file = await fetch(first.data[0]?.url ?? "");
  expect(Object.fromEntries(file.headers)).toMatchObject({
    "content-type": row.type,
    "content-disposition": expect.stringMatching(
      new RegExp(`^${row.disposition}; filename="[0-9a-f]{32}\\.`),
    ),
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
  });
  expect(await sharp(Buffer.from(await file.arrayBuffer())).metadata()).toMatchObject({
    format: row.format,
    width: 32,
    height: 16,
  });
});

test("a gif and an svg arrive as the upstream sent them, byte for byte", async () => {
  const svg = Buffer.from('<?xml version="1.0"?>\n<svg viewBox="0 0 7 5"><g/></svg>\n');
  upstream.follow({ next: [replyOf(svg)] });

  const body = (await (await create({ output_format: "svg" })).json()) as ImagesBody;

  expect(Buffer.from(body.data[0]?.b64_json ?? "", "base64")).toEqual(svg);
  expect(body).toMatchObject({ output_format: "svg", size: "7x5" });
});

test.each(hostile.map((row, index) => [...row, index] as const))(
  "%s is a failure of the upstream, and is neither converted nor passed on",
  async (_name, format, content, index) => {
    upstream.follow({ next: [replyOf(content)] });

    const model = `hostile-${index}`;
    const response = await create({ model, ...(format && { output_format: format }) });

    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({
      error: {
        code: "upstream_invalid_reply",
        message: expect.stringMatching(/^The upstream returned data that is not an image\./),
      },
    });
  },
);

test("an upstream that only creates vectors does so by default, and lists no other format", async () => {
  const model = (await (await gateways.get("disk")?.send("/v1/models/vectors"))?.json()) as {
    image: { output_formats: string[]; parameters: string[] };
  };
  upstream.follow({ next: [replyOf(Buffer.from("<svg></svg>"))] });
  const body = (await (await create({ model: "vectors" })).json()) as ImagesBody;

  expect(model.image.output_formats).toEqual(["svg"]);
  expect(body.output_format).toBe("svg");
  // It declares no size, so none is made up.
  expect(body).not.toHaveProperty("size");
});

test("the models list gif, svg, markup and the new parameters where they are supported", async () => {
  const list = (await (await gateways.get("disk")?.send("/v1/models"))?.json()) as {
    data: { id: string; image: { output_formats: string[]; parameters: string[]; markup: boolean } }[];
  };
  const image = (id: string) => list.data.find((model) => model.id === id)?.image;

  expect(image("newest")?.output_formats).toEqual(["png", "jpeg", "webp", "gif", "svg"]);
  expect(image("newest")?.parameters).toEqual(
    expect.arrayContaining(["complexity", "frame_count", "frame_duration_ms", "svg", "safety_identifier"]),
  );
  expect([image("newest")?.markup, image("sketch")?.markup]).toEqual([true, false]);
  expect(image("sketch")?.output_formats).toEqual(["png", "jpeg", "webp", "svg"]);
});

test("the embedded model draws a real svg", async () => {
  const response = await create({ model: "sketch", output_format: "svg", size: "256x128", user: "u" });
  const body = (await response.json()) as ImagesBody;
  const content = Buffer.from(body.data[0]?.b64_json ?? "", "base64");

  expect(body).toMatchObject({ output_format: "svg", size: "256x128", safety_identifier: "u" });
  expect(await sharp(content).metadata()).toMatchObject({ format: "svg", width: 256, height: 128 });
});

test("the cost of an svg that another model wrote is unknown, since that model is billed apart", async () => {
  const plain = await create({ output_format: "svg" });
  const authored = await create({ output_format: "svg", svg: { model: "author" } });
  await Promise.all([plain.arrayBuffer(), authored.arrayBuffer()]);
  const costOf = async (response: Response) => {
    const id = response.headers.get("x-request-id");
    const gateway = gateways.get("disk");
    if (gateway === undefined) throw new Error("There is no gateway with a disk.");
    const list = await gateway.send("/admin/v1/requests?model=newest", {
      headers: { authorization: `Bearer ${testAdminKey}` },
    });
    const { data } = (await list.json()) as { data: { id: string; cost_usd: number | null }[] };
    return data.find((row) => row.id === id)?.cost_usd;
  };

  await expect.poll(() => costOf(plain)).toBe(1);
  await expect.poll(() => costOf(authored)).toBe(null);
});

/** A reply with this image in it. */
function replyOf(content: Buffer) {
  const body = { created: 1, data: [{ b64_json: content.toString("base64") }] };
  return { faults: [{ kind: "reply" as const, status: 200, body }] };
}
