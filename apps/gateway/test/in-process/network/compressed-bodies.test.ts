import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAdminAccess, operationsOf, readSpec } from "../../../src/execution/validation/spec.js";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";

const jsonBytesMax = 1_000_000;

let upstream: FakeUpstream;
let gateway: InProcessGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream({ script: { always: { width: 8 } } });
  gateway = await startGateway(`
limits: { jsonBytesMax: ${jsonBytesMax} }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: m }] } }`);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

interface Sent {
  readonly path?: string;
  readonly encoding?: string;
  readonly type?: string;
}

function send(
  body: Buffer | ReadableStream,
  { path = "/v1/embeddings", encoding = "gzip", type = "application/json" }: Sent = {},
): Promise<Response> {
  return gateway.send(path, {
    method: "POST",
    headers: { "content-type": type, "content-encoding": encoding },
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : body,
    // Required by fetch for a stream, and missing from its types.
    ...({ duplex: "half" } as object),
  });
}

async function vectorsOf(response: Response): Promise<unknown> {
  return ((await response.json()) as { data: unknown }).data;
}

async function errorOf(response: Response) {
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return { status: response.status, code: error.code, message: error.message };
}

const short = JSON.stringify({ model: "m", input: ["a", "b"] });
const long = JSON.stringify({
  model: "m",
  input: Array.from({ length: 2000 }, (_, index) => `text ${index} ${"of many words ".repeat(10)}`),
});

describe.each([
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["GZIP", gzipSync],
  ["deflate", deflateSync],
])("a body in %s", (encoding, compress) => {
  test.each([
    ["short", short],
    ["long", long],
  ])("that is %s gets the vectors of the same body as it is", async (_name, text) => {
    const plain = await gateway.send("/v1/embeddings", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: text,
    });

    const compressed = await send(compress(text), { encoding });

    expect(compressed.status).toBe(200);
    expect(await vectorsOf(compressed)).toEqual(await vectorsOf(plain));
  });
});

test("a body without a length, and one of two gzip members, are read", async () => {
  const half = long.length / 2;
  const members = Buffer.concat([gzipSync(long.slice(0, half)), gzipSync(long.slice(half))]);
  const chunks = new ReadableStream({
    start: (controller) => {
      for (let at = 0; at < members.length; at += 1000) controller.enqueue(members.subarray(at, at + 1000));
      controller.close();
    },
  });

  expect((await send(members)).status).toBe(200);
  expect((await send(chunks)).status).toBe(200);
});

const takingJson = operationsOf(readSpec()).filter(
  ({ bodies, access }) =>
    bodies.has("application/json") && (!isAdminAccess(access) || ["admin", "own"].includes(access)),
);

test.each(takingJson)("$id decompresses its JSON body", async ({ method, path, access }) => {
  const response = await gateway.send(path.replaceAll(/:\w+/g, "m"), {
    method: method.toUpperCase(),
    headers: {
      "content-type": "application/json",
      "content-encoding": "gzip",
      ...(access === "admin" && { authorization: `Bearer ${testAdminKey}` }),
    },
    body: new Uint8Array(gzipSync("{,}")),
  });

  expect(await response.text()).toContain("We could not parse the JSON body of your request");
  expect(response.status).toBe(400);
});

test("a megabyte that has a gigabyte in it is a 413 with the limit", async () => {
  const member = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "));
  const bomb = Buffer.concat(Array<Buffer>(16).fill(member));

  expect(bomb.length).toBeGreaterThan(jsonBytesMax);
  const refusals = [await errorOf(await send(bomb)), await errorOf(await send(member))];

  expect(refusals).toEqual([
    {
      status: 413,
      code: "content_too_large",
      message: `The request body is larger than the limit of ${jsonBytesMax} bytes.`,
    },
    {
      status: 413,
      code: "content_too_large",
      message: `The decompressed request body is larger than the limit of ${jsonBytesMax} bytes.`,
    },
  ]);
  expect((await send(gzipSync(short))).status).toBe(200);
});

const whole = gzipSync(long);
const invalid = "it is not valid gzip data from its first byte to its last";
const cut = "its gzip data ends too soon";

test.each([
  ["no bytes", Buffer.alloc(0), cut],
  ["the first half", whole.subarray(0, whole.length / 2), cut],
  ["all but the length at the end", whole.subarray(0, -4), cut],
  ["JSON as it is", Buffer.from(long), invalid],
  ["another compression", deflateSync(long), invalid],
  ["a changed byte", Buffer.from(whole).fill(0xaa, 1000, 1001), invalid],
  ["another checksum", Buffer.from(whole).fill(0xaa, whole.length - 8, whole.length - 4), invalid],
  ["text after the end", Buffer.concat([whole, Buffer.from("and more")]), invalid],
  ["zeros after the end", Buffer.concat([whole, Buffer.alloc(10)]), invalid],
  ["half of another member after the end", Buffer.concat([whole, whole.subarray(0, 20)]), cut],
])("%s is a 400 that says what is wrong", async (_name, body, reason) => {
  expect(await errorOf(await send(body))).toEqual({
    status: 400,
    code: "invalid_json",
    message: `We could not decompress the body of your request: ${reason}.`,
  });
});

test("deflate is the zlib format, as in the standard", async () => {
  const { status, message } = await errorOf(await send(deflateRawSync(long), { encoding: "deflate" }));

  expect(status).toBe(400);
  expect(message).toContain("it is not valid deflate data");
});

test.each(["br", "zstd", "gzip, gzip", "gzip, identity", "constructor"])(
  "%s is a 415 that names what is accepted",
  async (encoding) => {
    expect(await errorOf(await send(gzipSync(short), { encoding }))).toEqual({
      status: 415,
      code: "unsupported_content_type",
      message: `Unsupported content encoding '${encoding}'. Send the body uncompressed, or compressed with gzip or deflate.`,
    });
  },
);

test("a compressed form is a 415", async () => {
  const form = { type: "multipart/form-data; boundary=x" };

  for (const path of ["/v1/images/edits", "/v1/files"])
    expect(await errorOf(await send(gzipSync("--x--"), { ...form, path }))).toEqual({
      status: 415,
      code: "unsupported_content_type",
      message: "Unsupported content encoding 'gzip'. Send the form uncompressed.",
    });
});
