import { createRandom, type Random } from "@model-gateway/test-suite/random";
import { lengthByTier } from "@model-gateway/test-suite/tier";
import { expect, test } from "vitest";
import { startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { startGateway } from "../../gateway/in-process.js";
import {
  type Content,
  content,
  expectedVector,
  imagePart,
  sampleImages,
  textPart,
} from "./content-inputs.js";

const inputsWanted = lengthByTier({ short: 1000, full: 5000 });

/** Few of each, so that many inputs are repeated, within a request and over all. */
const texts = ["a", "b", "a ", "\ud800", "some words", '{"content":[]}'];
const formats = ["png", "jpeg", "webp"] as const;
const images = await Promise.all(
  formats.map(async (format) => (await sampleImages(4, format)).map((image) => ({ image, format }))),
);

function randomInput(random: Random): unknown {
  const part = () => {
    if (random.below(3) === 0) return textPart(random.pick(texts));
    const { image, format } = random.pick(images.flat());
    return imagePart(image, format);
  };
  switch (random.below(4)) {
    case 0:
      return random.pick(texts);
    case 1:
      return [random.below(50), random.below(50)];
    default:
      return content(...Array.from({ length: 1 + random.below(3) }, part));
  }
}

/** A conversation of one input, if it can be one. Texts that follow each other would be joined. */
function asMessages(input: unknown[]): object {
  const [first] = input;
  if (typeof first === "string") input.splice(1);
  if (typeof first === "string") return { messages: [{ role: "user", content: first }] };
  const { content: parts = [] } = first as Partial<Content>;
  const isJoined = parts.some(({ type }, at) => type === "text" && parts[at - 1]?.type === "text");
  if (parts.length === 0 || isJoined) return { input };
  input.splice(1);
  return { messages: parts.map((part) => ({ role: "user", content: [part] })) };
}

/**
 * The upstream fails at times, takes few inputs at once, and replies in another order. Half of the models have a cache
 * that is partly filled by the requests before.
 */
test("each vector belongs to its input, whatever that is mixed with", async () => {
  const random = createRandom();
  const upstream = await startFakeUpstream({
    script: {
      seed: random.seed,
      always: { order: "reversed", inputsMax: 5, faults: [{ kind: "reply", status: 503, percent: 10 }] },
    },
  });
  const model = (keys: string, images: string) =>
    `{ type: embedding, dimensions: 8, tokenizer: cl100k_base, retries: { max: 10 }, ${keys} targets: [{ upstream: fake, model: m, inputImages: ${images} }] }`;
  const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  content: ${model("", "true")}
  cached: ${model("cache: { ttl: 1h },", "{ maxImagesPerRequest: 3 }")}
  messages: ${model("cache: { ttl: 1h },", "{ form: messages }")}
  joined: ${model("coalesce: { windowMs: 1, maxInputs: 8 },", "{ maxImageBytesPerRequest: 1000 }")}
`);
  const models = ["content", "cached", "messages", "joined"];
  let checked = 0;
  const caches = new Set<string | null>();

  while (checked < inputsWanted) {
    const requests = Array.from({ length: 4 }, () => {
      const count = 1 + random.below(12);
      const model = random.pick(models);
      const input = Array.from({ length: count }, () => randomInput(random));
      return { model, input, body: { model, ...(random.below(4) === 0 ? asMessages(input) : { input }) } };
    });
    await Promise.all(
      requests.map(async (request) => {
        const response = await gateway.sendJson("/v1/embeddings", request.body);
        const body = (await response.json()) as { data?: { embedding: number[] }[] };
        expect([response.status, response.status === 200 ? undefined : body]).toEqual([200, undefined]);
        expect(body.data?.map(({ embedding }) => embedding)).toEqual(
          request.input.map((input) => expectedVector(input)),
        );
        caches.add(response.headers.get("x-gateway-cache"));
        checked += request.input.length;
      }),
    );
  }

  expect(caches).toEqual(new Set([null, "hit", "partial", "miss"]));
  await gateway.stop();
  await upstream.close();
});
