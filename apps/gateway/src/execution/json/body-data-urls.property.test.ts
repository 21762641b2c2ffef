import { lengthByTier } from "@model-gateway/test-suite/tier";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonSchema, shapeOf } from "../validation/json-schema.js";
import { LargeJson } from "./parse-json.js";

const url: JsonSchema = { type: "string", "x-max-bytes": 1e6, "x-max-data-url-bytes": 2e6 };
const part: JsonSchema = {
  properties: {
    text: { type: "string", "x-max-bytes": 1e6 },
    image_url: { properties: { url } },
  },
};
const schema: JsonSchema = {
  properties: {
    input: {
      oneOf: [
        { type: "string", "x-max-bytes": 1e6 },
        {
          maxItems: 50,
          items: { properties: { content: { maxItems: 16, items: part } } },
        },
      ],
    },
    images: { maxItems: 50, items: url },
  },
};
const shape = shapeOf(schema);

/** A number in angle brackets stands for an image of so many bytes, so that counterexamples stay short. */
const plain = fc.integer({ min: 12_500, max: 40_000 }).map((bytes) => `data:image/png;base64,<${bytes}>`);
/** Strings that are long and look like data URLs, but are not plain base64. */
const odd = fc
  .tuple(plain, fc.constantFrom("\n", "=", "é", "-", '"', "\\"))
  .map((parts) => `${parts.join("")}AAA`);
const anyUrl = fc.oneof(plain, plain, odd, fc.constantFrom("https://a.example/b.png", "data:,", ""));
const anyPart = fc.oneof(
  anyUrl.map((one) => ({ image_url: { url: one } })),
  anyUrl.map((text) => ({ text })),
  anyUrl.map((one) => ({ other: { url: one } })),
);
const anyInput = fc.oneof(
  fc.array(anyPart, { maxLength: 3 }).map((content) => ({ content })),
  plain,
);
const anyBody = fc.record({
  extra: fc.array(anyInput, { maxLength: 1 }),
  images: fc.array(anyUrl, { maxLength: 2 }),
  input: fc.array(anyInput),
});

function expand(text: string): string {
  return text.replaceAll(/<(\d+)>/g, (_, bytes: string) =>
    Buffer.alloc(Number(bytes), `${bytes} bytes`).toString("base64"),
  );
}

async function parseApart(body: Buffer, partBytes?: number) {
  const { value, dataUrls = new Map<string, Buffer>() } = await new LargeJson(shape, partBytes).parseApart(
    body,
  );
  return { value, dataUrls };
}

/** Puts the images where their URLs stand. */
function joined(value: unknown, dataUrls: ReadonlyMap<string, Buffer>): unknown {
  const text = JSON.stringify(value, (_key, one: unknown) => {
    const content = typeof one === "string" ? dataUrls.get(one) : undefined;
    return content === undefined ? one : `data:image/png;base64,${content.toString("latin1")}`;
  });
  return JSON.parse(text);
}

/** How many data URLs stand at the places that the schema has for them. */
function plainCount({ images, input }: { readonly images: string[]; readonly input: unknown[] }): number {
  const parts = input.flatMap((one) => (one as { content?: object[] }).content ?? []);
  const urls = parts.map((one) => (one as { image_url?: { url: string } }).image_url?.url ?? "");
  return [...images, ...urls].filter((one) => one.endsWith(">")).length;
}

test("data URLs are taken out of their body, and every other text stays in it", async () => {
  await fc.assert(
    fc.asyncProperty(anyBody, fc.nat(100_000), fc.constantFrom(0, 1), async (value, partBytes, indent) => {
      const body = expand(JSON.stringify(value, null, indent));

      const parsed = await parseApart(Buffer.from(body), partBytes);

      expect(joined(parsed.value, parsed.dataUrls)).toEqual(JSON.parse(body));
      expect(parsed.dataUrls.size).toBe(plainCount(value));
    }),
    { numRuns: lengthByTier({ short: 150, full: 1500 }), seed: 20261118 },
  );
});

const longUrl = `data:image/png;base64,${Buffer.alloc(90_001, "image").toString("base64")}`;
const bodyWith = (text: string, more = "") =>
  `{"input":[{"content":[{"image_url":{"url":"${text}"}}]}]${more}}`;

test("a body without a second input, with a byte order mark, is the same", async () => {
  const { value, dataUrls } = await parseApart(Buffer.from(`\ufeff${bodyWith(longUrl)}`));

  expect([...dataUrls.values()]).toEqual([Buffer.from(Buffer.alloc(90_001, "image").toString("base64"))]);
  expect(joined(value, dataUrls)).toEqual(JSON.parse(bodyWith(longUrl)));
});

test("a text that a caller made up stands for no image", async () => {
  const first = await parseApart(Buffer.from(bodyWith(longUrl)));
  const [standIn = ""] = first.dataUrls.keys();

  const second = await parseApart(Buffer.from(bodyWith(longUrl, `,"x":"${standIn}"`)));

  expect(second.dataUrls.has(standIn)).toBe(false);
});

test.each([
  ["a base64 with escaped slashes", longUrl.replaceAll("/", "\\/")],
  ["a base64 without padding", longUrl.replace(/=+$/, "")],
  ["a base64 with unused bits", longUrl.replace(/.=$/, "/=").replace(/.==$/, "/==")],
  ["a head with a space", longUrl.replace("png;", "png; ")],
])("%s stays a string", async (_name, text) => {
  const { value, dataUrls } = await parseApart(Buffer.from(bodyWith(text)));

  expect([dataUrls.size, value]).toEqual([0, JSON.parse(bodyWith(text))]);
});

test.each([["}"], [',"x":"\\x"'], [',"x":01']])(
  "a fault behind an image, %s, has its position",
  async (fault) => {
    const body = Buffer.from(bodyWith(longUrl, fault));

    await expect(parseApart(body)).rejects.toMatchObject({
      code: "invalid_json",
      message: expect.stringMatching(/ 120\d{3}\b/),
    });
  },
);
