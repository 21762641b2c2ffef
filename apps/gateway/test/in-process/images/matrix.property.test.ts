import { lengthByTier } from "@model-gateway/test-suite/tier";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

let upstream: FakeUpstream;
let gateway: InProcessGateway;

beforeAll(async () => {
  upstream = await startFakeUpstream({ script: { always: { images: "requested" } } });
  const target = (model: string) => `targets: [{ upstream: images, model: ${model} }]`;
  gateway = await startGateway(`
upstreams:
  images: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}", allowPrivateUrls: true }
  local: { provider: local }
models:
  gpt-image: { type: image, profile: gpt-image, ${target("gpt-image")} }
  dall-e: { type: image, profile: dall-e, ${target("dall-e")} }
  links-only: { type: image, profile: { like: dall-e, responseFormats: [url], maxN: 1 }, ${target("dall-e")} }
  plain: { type: image, profile: { like: gpt-image, outputFormats: [png], backgrounds: [auto, opaque], maxN: 2, streaming: false }, ${target("plain")} }
  sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] }`);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

/** Whether a profile supports a transparent background. Every other option works with all of them. */
const supportsTransparency: Readonly<Record<string, boolean>> = {
  "gpt-image": true,
  "dall-e": false,
  "links-only": false,
  plain: false,
  sketch: true,
};

interface Cell {
  readonly model: string;
  readonly response_format: "url" | "b64_json" | undefined;
  readonly output_format: "png" | "jpeg" | "webp" | undefined;
  readonly background: "transparent" | "opaque" | undefined;
  readonly n: number;
  readonly stream: boolean;
}

const cells: Cell[] = [];
for (const model of Object.keys(supportsTransparency)) {
  for (const response_format of [undefined, "url", "b64_json"] as const) {
    for (const output_format of [undefined, "png", "jpeg", "webp"] as const) {
      for (const background of [undefined, "transparent", "opaque"] as const) {
        for (const n of [1, 3]) {
          for (const stream of [false, true])
            cells.push({ model, response_format, output_format, background, n, stream });
        }
      }
    }
  }
}

/** The short tier takes one in seven. No option has a multiple of seven values, so every pair of values is among them. */
const step = lengthByTier({ short: 7, full: 1 });

/** The parameter that a cell must be refused for. */
function refusedParam({
  model,
  response_format,
  output_format,
  background,
  stream,
}: Cell): string | undefined {
  if (background === "transparent" && (!supportsTransparency[model] || output_format === "jpeg"))
    return "background";
  if (stream && response_format === "url") return "response_format";
  return undefined;
}

test.each([...group(cells.filter((_, index) => index % step === 0))])(
  "a combination of options on %s is carried out, or refused by the parameter at fault",
  async (_model, list) => {
    for (const cell of list) await check(cell);
  },
);

async function check(cell: Cell): Promise<void> {
  const label = JSON.stringify(cell);
  const response = await gateway.sendJson("/v1/images/generations", {
    prompt: "a fox",
    size: "256x256",
    quality: "auto",
    ...cell,
  });
  const refused = refusedParam(cell);
  if (refused !== undefined) {
    const { error } = (await response.json()) as { error: { param: string } };
    expect({ status: response.status, param: error.param }, label).toEqual({ status: 400, param: refused });
    return;
  }
  expect(response.status, label).toBe(200);
  const { images, described } = cell.stream
    ? readEvents(await response.text())
    : await readDocument(response, cell);
  expect(images, label).toHaveLength(cell.n);
  for (const content of images) {
    const { format, width, height, hasAlpha } = await sharp(content).metadata();
    const isLink = cell.model === "links-only";
    expect(format, label).toBe(cell.output_format ?? "png");
    // The fake upstream's links lead to one image with a fixed size.
    expect(`${width}x${height}`, label).toBe(isLink ? "64x64" : "256x256");
    if (cell.background === "transparent") expect(hasAlpha, label).toBe(true);
    if (cell.background === "opaque") expect(hasAlpha, label).toBe(false);
    expect(described, label).toMatchObject({
      output_format: format,
      size: `${width}x${height}`,
      background: hasAlpha ? "transparent" : "opaque",
    });
  }
}

async function readDocument(
  response: Response,
  cell: Cell,
): Promise<{ images: Buffer[]; described: object }> {
  const body = (await response.json()) as { data: { url?: string; b64_json?: string }[] };
  const defaults: Readonly<Record<string, string>> = { "dall-e": "url", "links-only": "url" };
  const envelope = cell.response_format ?? defaults[cell.model] ?? "b64_json";
  const images = await Promise.all(
    body.data.map(async (image) => {
      expect(Object.keys(image)).toEqual([envelope]);
      if (image.url === undefined) return Buffer.from(image.b64_json ?? "", "base64");
      expect(image.url.startsWith(`${gateway.url}/v1/images/files/`)).toBe(true);
      return Buffer.from(await (await fetch(image.url)).arrayBuffer());
    }),
  );
  return { images, described: body };
}

function readEvents(text: string): { images: Buffer[]; described: object } {
  const events = [...text.matchAll(/^data: (.+)$/gm)].map(([, data = ""]) => JSON.parse(data));
  const completed = events.filter(({ type }) => type === "image_generation.completed");
  return {
    images: completed.map(({ b64_json }) => Buffer.from(b64_json, "base64")),
    described: completed[0] ?? {},
  };
}

function group(list: readonly Cell[]): Map<string, Cell[]> {
  const groups = new Map<string, Cell[]>();
  for (const cell of list) groups.set(cell.model, [...(groups.get(cell.model) ?? []), cell]);
  return groups;
}
