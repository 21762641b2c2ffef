import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createSigner, signImage } from "@model-gateway/content-credentials/test/sign-image";
import type { RasterFormat } from "@model-gateway/domain/image-profile";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AdminClient } from "../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

const formats = ["png", "jpeg", "webp"] as const;
const header = "x-gateway-content-credentials";
/** Images by the name that a prompt gives them. */
const images = new Map<string, Buffer>();
let calls = 0;
let upstream: Server;
let gateway: InProcessGateway;

/** The names of images in a prompt, one after the other. */
async function namesIn(request: IncomingMessage): Promise<{ names: string[]; isStream: boolean }> {
  const body = await text(request);
  return {
    names: /images: ([\w ,-]+)/.exec(body)?.[1]?.split(",") ?? [],
    isStream: /"stream":true|name="stream"\r\n\r\ntrue/.test(body),
  };
}

beforeAll(async () => {
  const signer = await createSigner();
  for (const format of formats) {
    const painted = sharp({ create: { width: 24, height: 16, channels: 3, background: "red" } });
    const content = await painted.toFormat(format).toBuffer();
    images.set(`plain-${format}`, content);
    images.set(`signed-${format}`, signImage(content, signer, { format, thumbnailBytes: 100_000 }));
  }
  upstream = createServer(async (request, response) => {
    calls += 1;
    const { names, isStream } = await namesIn(request);
    const texts = names.map((name) => images.get(name)?.toString("base64") ?? "");
    const verb = request.url?.endsWith("edits") ? "image_edit" : "image_generation";
    const event = (b64_json: string) =>
      `data: ${JSON.stringify({ type: `${verb}.completed`, b64_json, created_at: 5 })}\n\n`;
    response.setHeader("content-type", isStream ? "text/event-stream" : "application/json");
    response.end(
      isStream
        ? texts.map(event).join("")
        : JSON.stringify({ created: 5, data: texts.map((b64_json) => ({ b64_json })) }),
    );
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
  const model = (profile: string, more = "") =>
    `{ type: image, ${more} profile: ${profile}, targets: [{ upstream: fake, model: any }] }`;
  gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  all: ${model("gpt-image")}
  whole: ${model("{ like: gpt-image, streaming: false }")}
  only-png: ${model("{ like: gpt-image, outputFormats: [png] }")}
  keeps: ${model("{ like: gpt-image, outputFormats: [png, jpeg] }", "credentials: keep,")}
  keeps-jpeg: ${model("{ like: gpt-image, outputFormats: [jpeg] }", "credentials: keep,")}`);
});
afterAll(async () => {
  await gateway.stop();
  upstream.close();
});
beforeEach(() => {
  calls = 0;
});

const create = (prompt: string, fields: object = {}, headers: Record<string, string> = {}) =>
  gateway.sendJson(
    "/v1/images/generations",
    { model: "all", prompt: `images: ${prompt}`, ...fields },
    { headers },
  );

async function contentsOf(response: Response): Promise<Buffer[]> {
  const { data } = (await response.json()) as { data: { b64_json: string }[] };
  return data.map(({ b64_json }) => Buffer.from(b64_json, "base64"));
}

describe.each(formats)("a signed %s", (format) => {
  const signed = `signed-${format}`;

  test("passes through byte for byte, in either envelope, and in a stream", async () => {
    const content = images.get(signed) as Buffer;
    const asked = format === "png" ? {} : { output_format: format };

    const plain = await create(signed, asked);
    const linked = await create(signed, { ...asked, response_format: "url" });
    const { data } = (await linked.json()) as { data: { url: string }[] };
    const behindLink = await fetch(data[0]?.url ?? "");
    const streamed = await create(signed, { ...asked, stream: true });

    expect([plain.headers.get(header), linked.headers.get(header)]).toEqual(["preserved", "preserved"]);
    expect(streamed.headers.get(header)).toBeNull();
    expect((await contentsOf(plain))[0]?.equals(content)).toBe(true);
    expect(Buffer.from(await behindLink.arrayBuffer()).equals(content)).toBe(true);
    expect(await streamed.text()).toContain(content.toString("base64"));
  });

  test.each(formats.filter((other) => other !== format))(
    "loses its credentials in a conversion to %s, and the response says so",
    async (output_format) => {
      const response = await create(signed, { model: "whole", output_format });

      expect([response.status, response.headers.get(header)]).toEqual([200, "removed"]);
      const [content] = await contentsOf(response);
      expect((await sharp(content).metadata()).format).toBe(output_format);
      expect(content?.includes("c2pa")).toBe(false);
    },
  );
});

test("an image without credentials has none, converted or not", async () => {
  const responses = [await create("plain-png"), await create("plain-png", { output_format: "jpeg" })];

  expect(responses.map(({ headers }) => headers.get(header))).toEqual(["none", "none"]);
});

test("of several images the gravest fate is reported", async () => {
  const responses = [
    await create("plain-png,signed-png", { n: 2 }),
    await create("plain-png,signed-png", { n: 2, output_format: "webp" }),
    await create("plain-jpeg,plain-png", { n: 2, output_format: "jpeg" }),
    await create("signed-jpeg,signed-png", { n: 2, output_format: "jpeg" }),
  ];

  expect(responses.map(({ headers }) => headers.get(header))).toEqual([
    "preserved",
    "removed",
    "none",
    "removed",
  ]);
});

test("compression by the gateway removes credentials", async () => {
  const response = await create("signed-jpeg", {
    model: "only-png",
    output_format: "jpeg",
    output_compression: 50,
  });

  expect(response.headers.get(header)).toBe("removed");
});

test("edits report the same, as a form and as JSON", async () => {
  const image = images.get("plain-png") as Buffer;
  const form = new FormData();
  form.append("model", "whole");
  form.append("prompt", "images: signed-png");
  form.append("output_format", "jpeg");
  form.append("image", new Blob([new Uint8Array(image)], { type: "image/png" }), "a.png");
  const converted = await gateway.send("/v1/images/edits", { method: "POST", body: form });
  const kept = await gateway.sendJson("/v1/images/edits", {
    model: "all",
    prompt: "images: signed-png",
    images: [{ image_url: `data:image/png;base64,${image.toString("base64")}` }],
  });

  expect([converted.headers.get(header), kept.headers.get(header)]).toEqual(["removed", "preserved"]);
});

test("a replay reports what the first response did", async () => {
  const key = { "idempotency-key": "signed" };
  const first = await create("signed-png", { output_format: "webp" }, key);
  const again = await create("signed-png", { output_format: "webp" }, key);

  expect(calls).toBe(1);
  expect([first.headers.get(header), again.headers.get(header)]).toEqual(["removed", "removed"]);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

test("the ledger has the word, of documents, streams, replays and conversions", async () => {
  const streamed = { stream: true } as const;
  const key = { "idempotency-key": "a signed stream" };
  const sent: readonly (readonly [Response, string | null])[] = [
    [await create("signed-png"), "preserved"],
    [await create("signed-png", { output_format: "webp" }), "removed"],
    [await create("plain-png"), "none"],
    [await create("signed-png", streamed), "preserved"],
    [await create("signed-png", { ...streamed, output_format: "jpeg" }), "removed"],
    [await create("signed-png", { ...streamed, model: "whole" }), "preserved"],
    [await create("signed-png", streamed, key), "preserved"],
    [await create("signed-png", streamed, key), "preserved"],
    [await create("missing"), null],
  ];
  for (const [response] of sent) await response.arrayBuffer();

  const admin = new AdminClient(gateway.url);
  const rows = await Promise.all(sent.map(([response]) => admin.rowOf(response)));
  expect(rows.map(({ content_credentials }) => content_credentials)).toEqual(sent.map(([, word]) => word));
});

describe("with credentials: keep", () => {
  test.each<[string, string, object]>([
    ["output_format", "'output_format' does not support 'webp'", { output_format: "webp" }],
    ["output_compression", "'output_compression'", { model: "keeps-jpeg", output_compression: 50 }],
  ])("a conversion is refused by %s before anything is bought", async (param, words, fields) => {
    const response = await create("signed-png", { model: "keeps", ...fields });

    const { error } = (await response.json()) as { error: { message: string; param: string } };
    expect([response.status, error.param, calls]).toEqual([400, param, 0]);
    expect(error.message).toContain(words);
    expect(error.message).toContain("A conversion would remove content credentials, which this model keeps.");
  });

  test("the formats of the upstream are served, and are the only ones in the list of models", async () => {
    const responses = [
      await create("signed-png", { model: "keeps" }),
      await create("signed-jpeg", { model: "keeps", output_format: "jpeg" }),
      await create("signed-jpeg", { model: "keeps", output_format: "jpeg", output_compression: 50 }),
    ];
    const model = (await (await gateway.send("/v1/models/keeps")).json()) as {
      image: { output_formats: string[] };
    };

    expect(responses.map(({ status, headers }) => [status, headers.get(header)])).toEqual(
      Array(3).fill([200, "preserved"]),
    );
    expect(model.image.output_formats).toEqual(["png", "jpeg"]);
  });

  test("an upstream that signs another format than it was asked for has failed", async () => {
    const response = await create("signed-png", { model: "keeps", output_format: "jpeg" });

    const { error } = (await response.json()) as { error: { message: string; param: string } };
    expect([response.status, error.param, response.headers.get("x-should-retry")]).toEqual([
      502,
      "output_format",
      "false",
    ]);
    expect(error.message).toContain("Ask for 'png' in 'output_format'.");
  });

  test("an image without credentials is converted if the upstream returns another format", async () => {
    const response = await create("plain-png", { model: "keeps", output_format: "jpeg" });

    expect([response.status, response.headers.get(header)]).toEqual([200, "none"]);
  });
});

test("images.credentials is the default of all models, and is read again", async () => {
  const { port } = upstream.address() as AddressInfo;
  const config = (setting: string) => `
images: { credentials: ${setting} }
upstreams: { fake: { provider: openai-compatible, baseUrl: "http://127.0.0.1:${port}/v1" } }
models:
  usual: { type: image, profile: { like: gpt-image, outputFormats: [png] }, targets: [{ upstream: fake, model: any }] }
  free: { type: image, credentials: convert, profile: { like: gpt-image, outputFormats: [png] }, targets: [{ upstream: fake, model: any }] }`;
  const other = await startGateway(config("keep"));
  const statuses = async () => {
    const body = { prompt: "images: signed-png", output_format: "webp" };
    const usual = await other.sendJson("/v1/images/generations", { model: "usual", ...body });
    const free = await other.sendJson("/v1/images/generations", { model: "free", ...body });
    return [usual.status, free.status];
  };

  const kept = await statuses();
  await other.reload(config("convert"));
  const converted = await statuses();

  expect([kept, converted]).toEqual([
    [400, 200],
    [200, 200],
  ]);
  await other.stop();
});

describe("with labelUnsigned", () => {
  let labelling: InProcessGateway;
  beforeAll(async () => {
    const { port } = upstream.address() as AddressInfo;
    labelling = await startGateway(`
images: { labelUnsigned: { provider: Example Images } }
upstreams: { fake: { provider: openai-compatible, baseUrl: "http://127.0.0.1:${port}/v1" } }
models: { all: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: flux-2 }] } }`);
  });
  afterAll(() => labelling.stop());

  const label = async (prompt: string, output_format: RasterFormat) => {
    const body = { model: "all", prompt: `images: ${prompt}`, output_format };
    const response = await labelling.sendJson("/v1/images/generations", body);
    return { response, content: (await contentsOf(response))[0] as Buffer };
  };

  test.each(formats)("an unsigned %s says that it was generated, by whom, and when", async (format) => {
    const { content } = await label(`plain-${format}`, format);

    const xmp = (await sharp(content).metadata()).xmp?.toString() ?? "";
    expect(xmp).toContain("trainedAlgorithmicMedia");
    expect(xmp).toContain('AISystemUsed="Example Images"');
    expect(xmp).toContain('AISystemVersionUsed="flux-2"');
    expect(xmp).toMatch(/CreateDate="20\d\d-.*Z"/);
    expect(xmp).toMatch(/dc:identifier="urn:uuid:[0-9a-f-]{36}"/);
  });

  test.each(formats)("a signed %s is not touched", async (format) => {
    const { content, response } = await label(`signed-${format}`, format);

    expect(content.equals(images.get(`signed-${format}`) as Buffer)).toBe(true);
    expect(response.headers.get(header)).toBe("preserved");
  });

  test("an image whose credentials a conversion has removed is labelled", async () => {
    const { content, response } = await label("signed-png", "jpeg");

    expect(response.headers.get(header)).toBe("removed");
    expect((await sharp(content).metadata()).xmp?.toString()).toContain("trainedAlgorithmicMedia");
  });
});

test("a png with more blocks than any encoder writes is the upstream's failure", async () => {
  const plain = images.get("plain-png") as Buffer;
  const blocks = Buffer.alloc(12 * 110_000);
  for (let at = 0; at < blocks.length; at += 12) blocks.write("teXt", at + 4, "latin1");
  const end = plain.length - 12;
  images.set("endless", Buffer.concat([plain.subarray(0, end), blocks, plain.subarray(end)]));

  const response = await create("endless");

  expect(response.status).toBe(502);
});
