import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "./fake-upstream.mjs";
import { tinyPng } from "./sample-images.mjs";
import type { Behaviour } from "./script.js";
import { vectorOf } from "./vectors.mjs";

let upstream: FakeUpstream;

beforeAll(async () => {
  upstream = await startFakeUpstream();
});
beforeEach(() => upstream.follow({}));
afterAll(() => upstream.close());

const send = (path: string, body: object) =>
  fetch(`${upstream.baseUrl}${path}`, { method: "POST", body: JSON.stringify(body) });
const embed = (body: object) => send("/embeddings", { model: "m", input: "a", ...body });
const embedJson = async (body: object) => readJson(await embed(body));
const always = (behaviour: Behaviour) => upstream.follow({ always: behaviour });
const data = (inputs: readonly unknown[], width: number) =>
  inputs.map((input, index) => ({ object: "embedding", index, embedding: vectorOf(input, width) }));

describe("embeddings", () => {
  test.each([3, 8, 24, 25, 1536])("of width %d depend on each input alone", async (dimensions) => {
    const input = ["a", "b", [1, 2, 3], "é"];

    const reply = await embedJson({ input, dimensions });

    expect(reply).toEqual({
      object: "list",
      data: data(input, dimensions),
      model: "m",
      usage: { prompt_tokens: 6, total_tokens: 6 },
    });
    expect(new Set(input.map((each) => vectorOf(each, dimensions).join())).size).toBe(4);
  });

  test.each([3, 24, 25, 1536])("of width %d are the same in base64", async (dimensions) => {
    const { data: items } = await embedJson({ input: ["a", "b"], dimensions, encoding_format: "base64" });

    const numbers = items.map(({ embedding }) => [
      ...new Float32Array(Uint8Array.from(Buffer.from(String(embedding), "base64")).buffer),
    ]);
    expect(numbers).toEqual([vectorOf("a", dimensions), vectorOf("b", dimensions)]);
  });

  test("that exceed one write arrive whole", async () => {
    const input = Array.from({ length: 300 }, (_, index) => `text ${index}`);

    expect((await embedJson({ input, dimensions: 512 })).data).toEqual(data(input, 512));
  });

  test("can have another order, another width, and numbers instead of base64", async () => {
    always({ order: "reversed", width: 5, encoding: "float" });

    const reply = await embedJson({ input: ["a", "b"], encoding_format: "base64" });

    expect(reply.data).toEqual(data(["a", "b"], 5).reverse());
  });

  test("can be alike, with one cached reply for each number of inputs", async () => {
    always({ vectors: "alike", width: 32 });

    const texts = await Promise.all(
      ["a", "b", ["a", "b"]].map(async (input) => (await embed({ input })).text()),
    );

    const [one, other, two = ""] = texts;
    expect(one).toBe(other);
    expect(JSON.parse(two).data).toEqual(data(["", ""], 32));
  });

  test("are refused if a call has too many inputs or tokens", async () => {
    always({ inputsMax: 2, tokensMax: 3 });

    const [inputs, tokens] = await Promise.all([embed({ input: ["a", "b", "c"] }), embed({ input: "abcd" })]);

    expect([inputs.status, await readJson(inputs)]).toEqual([
      422,
      { message: "batch size 3 > maximum allowed batch size 2", code: 422, type: "Validation" },
    ]);
    expect([tokens.status, (await readJson(tokens)).error?.message]).toEqual([
      400,
      "Requested 4 tokens, max 3 tokens per request",
    ]);
  });
});

describe("images", () => {
  test("are base64 from most models, and links that work from models named dall-e", async () => {
    const one = await send("/images/generations", { model: "image", prompt: "a", n: 2 });
    const other = await send("/images/generations", { model: "dall-e-3", prompt: "a" });

    const { data: links } = await readJson(other);
    expect((await readJson(one)).data).toEqual(Array(2).fill({ b64_json: tinyPng.toString("base64") }));
    expect((await fetch(links[0]?.url ?? "")).headers.get("content-type")).toBe("image/png");
  });

  test("are streamed as events, with the requested number of partial images", async () => {
    const reply = await send("/images/generations", {
      model: "image",
      prompt: "a",
      stream: true,
      partial_images: 2,
      n: 2,
    });

    const names = [...(await reply.text()).matchAll(/^event: (.+)$/gm)].map(([, name]) => name);
    expect(names).toEqual([
      ...Array(2).fill("image_generation.partial_image"),
      ...Array(2).fill("image_generation.completed"),
    ]);
  });

  test("are refused if an option is unknown", async () => {
    const reply = await send("/images/generations", { model: "image", prompt: "a", style: "vivid" });

    expect([reply.status, (await readJson(reply)).error?.param]).toEqual([400, "style"]);
  });

  test("can be as large as the script says", async () => {
    always({ images: 300_000 });

    const reply = await send("/images/generations", { model: "image", prompt: "a" });

    const { data: images } = await readJson(reply);
    expect(Buffer.from(images[0]?.b64_json ?? "", "base64").length).toBeGreaterThan(300_000);
  });

  test("are created from forms, and all bytes of a form are counted", async () => {
    const before = upstream.seen();
    const form = new FormData();
    for (const [name, value] of Object.entries({ model: "image", prompt: "a" })) form.append(name, value);
    form.append("image", new Blob([new Uint8Array(3_000_000)], { type: "image/png" }), "a.png");

    const reply = await fetch(`${upstream.baseUrl}/images/edits`, { method: "POST", body: form });

    expect(reply.status).toBe(200);
    const after = upstream.seen();
    expect(after.last.at(-1)?.body).toEqual({ model: "image", prompt: "a" });
    expect(after.bodyBytes - before.bodyBytes).toBeGreaterThan(3_000_000);
  });
});

interface ReplyBody {
  readonly data: { readonly embedding?: unknown; readonly url?: string; readonly b64_json?: string }[];
  readonly error?: { readonly message: string; readonly param: string };
}

async function readJson(reply: Response): Promise<ReplyBody> {
  return (await reply.json()) as ReplyBody;
}
