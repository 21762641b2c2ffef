import { createRandom, type Random } from "@model-gateway/test-suite/random";
import { lengthByTier } from "@model-gateway/test-suite/tier";
import sharp from "sharp";
import { expect, test } from "vitest";
import { startGateway } from "../../gateway/in-process.js";
import { bedrockContents } from "./bedrock/content-suites.js";
import { cohereContents } from "./cohere/content-suites.js";
import { embeds, type FakePart, imageNumber, inputOf, keyOf } from "./contents.js";
import { type ContentSuite, contentConfig } from "./contents-suite.js";
import { geminiContents } from "./gemini/content-suites.js";
import { jinaContents } from "./jina/content-suites.js";
import { openRouterContents } from "./openrouter/content-suites.js";
import { unitVector } from "./unit-vectors.js";
import { vertexContents } from "./vertex/content-suites.js";
import { voyageContents } from "./voyage/content-suites.js";

const suites = [
  ...bedrockContents,
  ...cohereContents,
  geminiContents,
  ...jinaContents,
  openRouterContents,
  vertexContents,
  voyageContents,
];
/** For each model: all of them together get 5,000 requests. */
const requestsWanted = Math.ceil(lengthByTier({ short: 240, full: 5000 }) / suites.length);
const atOnce = 5;

/** Token ids become texts for a model with another vocabulary. */
const keys = "retries: { max: 5 }\n    clientTokenizer: cl100k_base";
const upstreams = ["first", "second"];
/** Models that take one input a call are split anyway. */
const splitKeys = ", maxInputs: 3, inputImages: { maxInputs: 2 }";

/**
 * Half of the requests read a cache that is partly filled. Five are in flight at once. Some calls fail and are repeated,
 * and inputs are split over calls.
 */
test.each(suites)(
  "$provider with $model.name: each vector of a random mix is that of its own input",
  async (suite) => {
    const random = createRandom();
    const fake = await suite.start();
    const { native } = suite.model;
    const { targetKeys = suite.perCall.inputs === 1 ? "" : splitKeys } = suite;
    const gateway = await startGateway(
      contentConfig(suite, fake.origin, [
        { name: "plain", upstreams, keys, targetKeys },
        { name: "cached", upstreams, keys: `${keys}\n    cache: { ttl: 1h }`, targetKeys },
      ]),
    );
    const images = await createImages(random);
    const caches = new Set<string | null>();
    let failures = 0;
    const sendOne = async () => {
      const inputs = Array.from({ length: 1 + random.below(8) }, () => randomInput(suite, images, random));

      const response = await gateway.sendJson("/v1/embeddings", {
        model: random.pick(["plain", "cached"]),
        input: inputs.map(({ input }) => input),
        encoding_format: "base64",
      });

      const body = (await response.json()) as { data?: { embedding: string }[] };
      expect([response.status, response.status === 200 ? undefined : body]).toEqual([200, undefined]);
      const isOwn = inputs.map(({ parts }, index) =>
        embeds(body.data?.[index]?.embedding, unitVector(keyOf(parts), { width: native, native })),
      );
      expect([body.data?.length, isOwn]).toEqual([inputs.length, inputs.map(() => true)]);
      caches.add(response.headers.get("x-gateway-cache"));
    };

    for (let sent = 0; sent < requestsWanted; sent += atOnce) {
      if (random.below(3) === 0) fake.scripted.push(failure(random));
      const failing = fake.scripted.length;
      await Promise.all(Array.from({ length: atOnce }, sendOne));
      failures += failing - fake.scripted.length;
      fake.bodies.length = 0;
    }

    expect([...caches]).toEqual(expect.arrayContaining([null, "partial", "miss"]));
    expect(failures).toBeGreaterThan(0);
    await gateway.stop();
    fake.close();
  },
);

function failure(random: Random) {
  return { status: random.pick([429, 500, 503]), headers: { "retry-after-ms": "1" }, body: {} };
}

/** Small ones, and some of more than 16 KB, which are decoded in the memory of their request. */
async function createImages(random: Random): Promise<Buffer[]> {
  const small = Array.from({ length: 20 }, (_, number) => imageNumber(number));
  const large = Array.from({ length: 5 }, () =>
    sharp(random.bytes(80 * 80 * 3), { raw: { width: 80, height: 80, channels: 3 } })
      .png()
      .toBuffer(),
  );
  return Promise.all([...small, ...large]);
}

const tokenTexts: readonly (readonly [number[], string])[] = [
  [[791, 8415], "The cat"],
  [[7731], " sat"],
];

/** An input as the caller sends it, and its parts as the fake gets them. */
function randomInput(
  { imagesPerInput }: ContentSuite,
  images: readonly Buffer[],
  random: Random,
): { readonly input: unknown; readonly parts: readonly FakePart[] } {
  const text = () => `text ${random.below(300)}`;
  const image = () => random.pick(images);
  const of = (...parts: FakePart[]) => ({ input: inputOf(parts), parts });
  switch (random.below(5)) {
    case 0: {
      const [input, decoded] = random.pick(tokenTexts);
      return { input, parts: [decoded] };
    }
    case 1:
      return of(text());
    case 2:
      return of(image());
    default:
      if (imagesPerInput === "one part") return of(random.pick([text(), image()]));
      // A model of one image takes one text before it.
      if (imagesPerInput === 1) return of(text(), image());
      return of(...random.shuffle([text(), image(), ...(random.below(2) === 0 ? [image(), text()] : [])]));
  }
}
