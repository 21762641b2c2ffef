import { pngChunk } from "@model-gateway/content-credentials/test/sign-image";
import { longestTurnMs } from "@model-gateway/test-suite/longest-turn";
import { afterAll, beforeAll, expect, test } from "vitest";
import { svgBytesMax } from "../../../src/images/delivery/inspect-svg.js";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { startUpstreamProcess, type UpstreamProcess } from "../../fake-upstream/upstream-process.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

/** Receiving and sending 11 MB is in it. Before there were steps, the vectors took up to a second. */
const turnMsMax = 60;
const many = 100_000;
const embeddingsMax = 20;

const chunks = Buffer.alloc(12 * many, pngChunk("tEXt", Buffer.alloc(0)));
const tooMany = { error: { message: expect.stringContaining("not an image") } };

/** Each is small to send, or as large as it may be, and long to read. */
const replies: readonly (readonly [name: string, format: string, make: () => Buffer, body: object])[] = [
  ["a vector of elements", "svg", () => vector("<g/>"), { output_format: "svg" }],
  ["a vector of attributes", "svg", () => vector(`<g${" a='b'".repeat(1000)}/>`), { output_format: "svg" }],
  ["an animation of empty blocks", "gif", emptyBlocks, { output_format: "gif" }],
  ["a PNG with chunks after its pixels", "png", () => splice(tinyPng, tinyPng.length - 12), tooMany],
];

let upstream: UpstreamProcess;
let gateway: InProcessGateway;
beforeAll(async () => {
  // In another process: what it does is not in the turns of the gateway.
  upstream = await startUpstreamProcess();
  const models = replies.map((_row, index) => `  image-${index}: ${modelOf(index)}`);
  gateway = await startGateway(`
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" }
  local: { provider: local }
models:
  words: { type: embedding, targets: [{ upstream: fake, model: words }] }
  sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] }
${models.join("\n")}`);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.kill();
});

/** A separate target for each, since a circuit breaker opens after a few failures. */
function modelOf(index: number): string {
  return `{ type: image, profile: gpt-image-2.5, targets: [{ upstream: fake, model: image-${index} }] }`;
}

test.each(replies.map((row, index) => [...row, index] as const))(
  "%s takes no whole turn to read, and a small embedding is answered meanwhile",
  async (_name, format, make, expected, index) => {
    const body = { created: 1, data: [{ b64_json: make().toString("base64") }] };
    const reply = { faults: [{ kind: "reply" as const, status: 200, body }] };
    await upstream.follow({ models: { [`image-${index}`]: reply } });
    const outcomes: unknown[] = [];

    const longest = await longestTurnMs(async () => {
      let isPending = true;
      const image = create(`image-${index}`, format).finally(() => {
        isPending = false;
      });
      let embeddings = 0;
      while (isPending && embeddings < embeddingsMax) embeddings += await embed();
      outcomes.push({ ...(await image), embeddings });
    });

    expect(outcomes[0]).toMatchObject(expected);
    expect((outcomes[0] as { embeddings: number }).embeddings).toBeGreaterThan(0);
    expect(longest).toBeLessThan(turnMsMax);
  },
);

test("the uploads of a PNG with many chunks, by an edit and by a check, take no whole turn to refuse", async () => {
  const png = splice(tinyPng, 33);
  const bodies: unknown[] = [];

  const longest = await longestTurnMs(async () => {
    bodies.push(await upload("/v1/images/edits", "image", png));
    bodies.push(await upload("/v1/content_provenance_checks", "file", png));
  });

  expect(bodies.slice(0, 2)).toMatchObject([
    {
      error: {
        code: "invalid_image_file",
        message: "Invalid image file 'image': it has more than 1000 blocks.",
      },
    },
    { not_checked: [{ type: "c2pa", reason: "The image has more than 10000 blocks." }, { type: "synthid" }] },
  ]);
  expect(longest).toBeLessThan(turnMsMax);
});

async function create(model: string, format: string): Promise<object> {
  const fields = { model, prompt: "a fox", output_format: format, response_format: "url" };
  return (await gateway.sendJson("/v1/images/generations", fields)).json() as Promise<object>;
}

/** The number of embeddings that came. */
async function embed(): Promise<number> {
  const response = await gateway.sendJson("/v1/embeddings", { model: "words", input: "a fox" });
  const { data } = (await response.json()) as { data: readonly unknown[] };
  return data.length;
}

async function upload(path: string, field: string, content: Buffer): Promise<unknown> {
  const form = new FormData();
  if (field === "image") {
    form.append("model", "sketch");
    form.append("prompt", "a fox");
  }
  form.append(field, new Blob([new Uint8Array(content)]), "image.png");
  return (await gateway.send(path, { method: "POST", body: form })).json();
}

/** As large as it may be. */
function vector(unit: string): Buffer {
  return Buffer.from(`<svg>${unit.repeat(Math.floor((svgBytesMax - 11) / unit.length))}</svg>`);
}

/** As many as it may have. */
function emptyBlocks(): Buffer {
  const pixel = Buffer.from("474946383761010001000000002c000000000100010000020144003b", "hex");
  const comments = Buffer.alloc(3 * 499_000, Buffer.from([0x21, 0xfe, 0]));
  return Buffer.concat([pixel.subarray(0, 13), comments, pixel.subarray(13)]);
}

function splice(image: Buffer, at: number): Buffer {
  return Buffer.concat([image.subarray(0, at), chunks, image.subarray(at)]);
}
