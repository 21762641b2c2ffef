import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { lengthByTier } from "@model-gateway/test-suite/tier";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createNoise } from "../../fake-upstream/sample-images.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

/** The upstream's reply to a prompt: the JSON text of the image, and the background it reports. */
interface Sent {
  readonly text: string;
  readonly background?: string | undefined;
}

const replies = new Map<string, Sent>();
let upstream: Server;
let gateway: InProcessGateway;

beforeAll(async () => {
  upstream = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const { prompt, stream } = (await json(request)) as { prompt: string; stream?: boolean };
    const { text = "", background } = replies.get(prompt) ?? {};
    const more = background === undefined ? "" : `,"background":"${background}"`;
    const event = (kind: string) =>
      `data: {"type":"image_generation.${kind}","b64_json":"${text}"${more},"created_at":5}\n\n`;
    response.setHeader("content-type", stream === true ? "text/event-stream" : "application/json");
    response.end(
      stream === true
        ? `${event("partial_image")}${event("completed")}`
        : `{"created":5,"data":[{"b64_json":"${text}"}]${more}}`,
    );
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
  gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }
  single: { type: image, profile: { like: gpt-image, maxN: 1, streaming: false }, targets: [{ upstream: fake, model: image }] }
${Array.from({ length: 40 }, (_, index) => `  broken-${index}: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: broken-${index} }] }`).join("\n")}`);
});
afterAll(async () => {
  await gateway.stop();
  upstream.close();
});

const alphas = { none: undefined, opaque: 1, half: 0.5, transparent: 0 } as const;
const formats = ["png", "webp", "jpeg"] as const;

async function paint(format: "png" | "webp" | "jpeg", alpha: keyof typeof alphas): Promise<Buffer> {
  const channels = alpha === "none" ? 3 : 4;
  const base = {
    create: { width: 24, height: 16, channels, background: { r: 200, g: 30, b: 60, alpha: 1 } },
  } as const;
  const half = {
    width: 12,
    height: 16,
    channels: 4,
    background: { r: 200, g: 30, b: 60, alpha: alphas[alpha] ?? 1 },
  } as const;
  const painted =
    alpha === "none" ? sharp(base) : sharp({ create: { ...base.create, background: half.background } });
  return format === "png"
    ? painted.png().toBuffer()
    : format === "webp"
      ? painted.webp({ lossless: true }).toBuffer()
      : painted.flatten({ background: "white" }).jpeg().toBuffer();
}

interface Answered {
  readonly status: number;
  readonly content: Buffer;
  readonly background: string;
  readonly size: string;
}

async function create(fields: object): Promise<Answered> {
  const response = await gateway.sendJson("/v1/images/generations", { model: "image", ...fields });
  const text = await response.text();
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    const { data, ...body } = JSON.parse(text);
    return { status: response.status, ...body, content: Buffer.from(data?.[0].b64_json ?? "", "base64") };
  }
  const events = [...text.matchAll(/^data: (.+)$/gm)].map(([, data = ""]) => JSON.parse(data));
  const { b64_json, ...event } = events.at(-1);
  return { status: "error" in event ? 502 : 200, ...event, content: Buffer.from(b64_json ?? "", "base64") };
}

interface Cell {
  readonly alpha: keyof typeof alphas;
  /** The background in the reply of the upstream. `truth`: that of the image. */
  readonly said: "truth" | "auto" | undefined;
  readonly output_format: (typeof formats)[number] | undefined;
  readonly stream: boolean;
}

const cells: Cell[] = [];
for (const alpha of Object.keys(alphas) as (keyof typeof alphas)[]) {
  for (const said of ["truth", undefined, "auto"] as const) {
    for (const output_format of [undefined, ...formats]) {
      for (const stream of [false, true]) cells.push({ alpha, said, output_format, stream });
    }
  }
}

/** The short tier takes one in five. No option has a multiple of five values, so every pair of values is among them. */
const step = lengthByTier({ short: 5, full: 1 });

test.each(formats)("a %s has its background named, whether the upstream says it or not", async (format) => {
  for (const { alpha, said, output_format, stream } of cells.filter((_, index) => index % step === 0)) {
    const content = await paint(format, alpha);
    const isOpaque = format === "jpeg" || alpha === "none" || alpha === "opaque";
    const truth = isOpaque ? "opaque" : "transparent";
    const prompt = JSON.stringify([format, alpha, said]);
    replies.set(prompt, {
      text: content.toString("base64"),
      background: said === "truth" ? truth : said,
    });
    const answered = await create({ prompt, output_format, stream, partial_images: stream ? 1 : undefined });
    const label = JSON.stringify([prompt, output_format, stream]);

    expect([answered.status, answered.size], label).toEqual([200, "24x16"]);
    expect(answered.background, label).toBe(output_format === "jpeg" ? "opaque" : truth);
    if (output_format === undefined || output_format === format)
      expect(answered.content.equals(content), label).toBe(true);
    await expectSameColour(answered.content, content, label);
  }
});

/** Conversions to jpeg change colours a little, and put transparent images on white. */
async function expectSameColour(answered: Buffer, sent: Buffer, label: string): Promise<void> {
  const pixelOf = async (content: Buffer) =>
    [...(await sharp(content).flatten({ background: "white" }).raw().toBuffer())].slice(0, 3);
  const [one, other] = [await pixelOf(answered), await pixelOf(sent)];
  for (const [index, value] of one.entries())
    expect(Math.abs(value - (other[index] ?? 0)), label).toBeLessThan(12);
}

test("an upstream that contradicts the request has its image looked at", async () => {
  for (const [alpha, background, said] of [
    ["transparent", "transparent", "opaque"],
    ["opaque", "opaque", "transparent"],
  ] as const) {
    replies.set(alpha, { text: (await paint("png", alpha)).toString("base64"), background: said });

    expect(await create({ prompt: alpha, background })).toMatchObject({ status: 200, background });
  }
});

test("an image without an alpha channel is opaque, whatever the upstream says", async () => {
  replies.set("liar", { text: (await paint("png", "none")).toString("base64"), background: "transparent" });

  expect(await create({ prompt: "liar" })).toMatchObject({ status: 200, background: "opaque" });
});

test("odd base64 is decoded: line breaks, escapes, the URL-safe alphabet, no padding, a data URL", async () => {
  const content = await createNoise(200_000);
  const text = content.toString("base64");
  const forms = {
    "line breaks": text.replace(/.{76}/g, "$&\\r\\n"),
    escapes: text.replaceAll("/", "\\/"),
    "URL-safe": text.replaceAll("+", "-").replaceAll("/", "_"),
    "no padding": text.replace(/=+$/, ""),
    "a data URL": `data:image/png;base64,${text}`,
  };
  for (const [name, form] of Object.entries(forms)) {
    replies.set(name, { text: form });
    for (const stream of [false, true]) {
      const answered = await create({ prompt: name, stream });

      expect([answered.status, answered.content.equals(content)], name).toEqual([200, true]);
    }
  }
});

test("a truncated, mislabelled, damaged or empty image is the upstream's failure", async () => {
  const large = await createNoise(400_000);
  const text = large.toString("base64");
  const webp = (await paint("webp", "half")).toString("base64");
  const broken = [
    text.slice(0, -40),
    text.slice(0, text.length / 2 - ((text.length / 2) % 4)),
    `${text.slice(0, 4000)}!!!!${text.slice(4000)}`,
    `${text.slice(0, 300_000)}é${text.slice(300_002)}`,
    `${text.slice(0, 4000)}====${text.slice(4000)}`,
    webp.slice(0, -8),
    "",
    "AAAA",
    Buffer.from("hello, world").toString("base64"),
    Buffer.concat([Buffer.alloc(33), large.subarray(33)]).toString("base64"),
  ];
  for (const [index, form] of broken.entries()) {
    replies.set(`broken ${index}`, { text: form });
    for (const stream of [false, true]) {
      const model = `broken-${2 * index + Number(stream)}`;
      const { status } = await create({ model, prompt: `broken ${index}`, stream });

      expect(status, `${index}`).toBe(502);
    }
  }
});

test("large images of many callers are not mixed up, while others leave", async () => {
  const images = await Promise.all(
    Array.from({ length: 12 }, (_, index) => createNoise(300_000 + index * 40_000)),
  );
  for (const [index, content] of images.entries())
    replies.set(`noise ${index}`, { text: content.toString("base64") });

  for (let round = 0; round < 4; round += 1) {
    const leaving = images.map(async (_, index) => {
      const controller = new AbortController();
      const body = JSON.stringify({ model: "image", prompt: `noise ${index}` });
      const headers = { "content-type": "application/json" };
      const sent = gateway.send("/v1/images/generations", {
        method: "POST",
        body,
        headers,
        signal: controller.signal,
      });
      await sent.then(() => controller.abort()).catch(() => undefined);
    });
    const answered = await Promise.all(
      images.map((_, index) => create({ prompt: `noise ${index}`, stream: index % 3 === 2 })),
    );
    await Promise.all(leaving);

    for (const [index, { status, content }] of answered.entries())
      expect([status, content.equals(images[index] as Buffer)], `${round} ${index}`).toEqual([200, true]);
  }
});

test("large images of several calls are joined, stored for a replay, and put behind links", async () => {
  const content = await createNoise(500_000);
  const text = content.toString("base64");
  replies.set("several", { text });
  const request = { model: "single", prompt: "several", n: 3 };

  const ask = async (fields: object = {}, headers: Record<string, string> = {}) => {
    const response = await gateway.sendJson("/v1/images/generations", { ...request, ...fields }, { headers });
    return (await response.json()) as { data: { b64_json?: string; url: string }[] };
  };
  const stored = await ask({}, { "idempotency-key": "several" });
  const linked = await ask({ response_format: "url" });

  for (const { data } of [stored, await ask(), await ask({}, { "idempotency-key": "several" })])
    expect(data.map(({ b64_json }) => b64_json === text)).toEqual([true, true, true]);
  expect(linked.data).toHaveLength(3);
  for (const { url } of linked.data)
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(content)).toBe(true);
});
