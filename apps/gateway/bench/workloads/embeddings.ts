import {
  createImage,
  createVectors,
  embeddedImageBytes,
  inputText,
  type SampleVector,
  vectorIndex,
} from "./sample-data.js";
import type { BenchRequest, Workload, WorkloadCase } from "./workload.js";

/** One input. The CI check measures this workload as well. */
export const smallEmbedding: Workload = {
  name: "small-embedding",
  title: "One input",
  description: "One input, one vector of 1,536 numbers: the cost of the gateway itself.",
  cases: bothEncodings({ model: "plain", inputs: 1, distinct: 4096 }),
  concurrency: [1, 32, 256],
  warmUpRequests: 15_000,
  quick: { concurrency: [1, 32, 256], labels: ["JSON", "base64"] },
};

export const embeddingWorkloads: readonly Workload[] = [
  smallEmbedding,
  {
    name: "after-idle",
    title: "One input after idle time",
    description:
      "The same after twelve seconds without a request. V8 collects the heap of an idle process, and may drop compiled code with it.",
    cases: bothEncodings({ model: "plain", inputs: 1, distinct: 4096 }),
    concurrency: [1, 32],
    warmUpRequests: 15_000,
    quick: { concurrency: [1], labels: ["JSON"] },
    idleMs: 12_000,
  },
  {
    name: "crowd",
    title: "A crowd",
    description:
      "The same with four times as many callers as the gateway calls an upstream for at once: the cost of its queue.",
    cases: bothEncodings({ model: "plain", inputs: 1, distinct: 4096 }),
    concurrency: [1024],
    warmUpRequests: 15_000,
    quick: { concurrency: [1024], labels: ["JSON", "base64"] },
  },
  {
    name: "batch-of-100",
    title: "Batch of 100",
    description: "A hundred inputs in one request, as indexing jobs send them.",
    cases: bothEncodings({ model: "plain", inputs: 100, distinct: 64 }),
    concurrency: [1, 32],
    warmUpRequests: 256,
    quick: { concurrency: [32], labels: ["base64"] },
  },
  {
    name: "batch-of-2048",
    title: "Batch of 2,048",
    description: "The largest batch that the API allows: 190 KB in; 64 MB of JSON or 17 MB of base64 out.",
    cases: bothEncodings({ model: "plain", inputs: 2048, distinct: 8 }),
    concurrency: [1, 4],
    warmUpRequests: 16,
    quick: { concurrency: [1, 4], labels: ["JSON", "base64"] },
    watchesStalls: true,
  },
  {
    name: "cache-hit",
    title: "Full cache hit",
    description:
      "Inputs that are in the gateway's cache. The memory server looks up whole responses; the other rivals call the upstream.",
    cases: bothEncodings({ model: "cached", inputs: 1, distinct: 512 }),
    concurrency: [1, 32, 256],
    warmUpRequests: 15_000,
    // Each input twice: the first hit in JSON writes the numbers, and the cache keeps their text.
    cacheFillRequests: 2 * 512,
    quick: { concurrency: [32], labels: ["JSON", "base64"] },
  },
  {
    name: "joined-requests",
    title: "Joined requests",
    description:
      "Small requests that the gateway joins into fewer upstream calls; its rivals do not join them.",
    cases: bothEncodings({ model: "joined", inputs: 1, distinct: 4096 }),
    concurrency: [32, 256],
    warmUpRequests: 15_000,
    quick: { concurrency: [32], labels: ["JSON", "base64"] },
  },
  {
    name: "embed-64-images",
    title: "64 images in one request",
    description:
      "64 inputs, each a text and an image of 1 MB: 85 MB of data URLs in, 64 vectors as base64 out. The gateway checks every image, and sends them in four calls.",
    cases: [imagesCase()],
    concurrency: [1],
    warmUpRequests: 8,
    quick: { concurrency: [1], labels: ["64 MB"] },
    uploads: true,
    watchesStalls: true,
  },
];

interface EmbeddingCaseOptions {
  readonly model: "plain" | "cached" | "joined";
  readonly encoding: "json" | "base64";
  /** Inputs per request. */
  readonly inputs: number;
  /** Number of distinct requests. They take turns, so two requests in flight always differ. */
  readonly distinct: number;
}

function bothEncodings(options: Omit<EmbeddingCaseOptions, "encoding">): readonly WorkloadCase[] {
  return [embeddingCase({ ...options, encoding: "json" }), embeddingCase({ ...options, encoding: "base64" })];
}

/** Every input has a number, so each vector in a response can be compared with the one for its input. */
function embeddingCase({ model, encoding, inputs, distinct }: EmbeddingCaseOptions): WorkloadCase {
  return {
    label: encoding === "json" ? "JSON" : "base64",
    // A gateway may write numbers with fewer digits, in about half the bytes that upstreams send.
    responseBytesMin: inputs * (encoding === "json" ? 15_000 : 8192),
    createRequests: () => {
      const vectors = createVectors();
      // Every batch starts with the first vector, so that the upstream needs to keep only one reply.
      const stride = inputs === 1 ? 1 : 2048;
      return Array.from({ length: distinct }, (_, which) => {
        const numbers = Array.from({ length: inputs }, (_, index) => which * stride + index);
        const texts = numbers.map(inputText);
        const body = {
          model,
          input: inputs === 1 ? texts[0] : texts,
          ...(encoding === "base64" ? { encoding_format: encoding } : {}),
        };
        return {
          path: "/v1/embeddings",
          contentType: "application/json",
          body: Buffer.from(JSON.stringify(body)),
          findFault: (response) =>
            findWrongVector(
              response,
              numbers.map((number) => vectors[vectorIndex(number)]),
            ),
        } satisfies BenchRequest;
      });
    },
  };
}

/** Two requests take turns. Their images are equal, and their texts differ. */
function imagesCase(): WorkloadCase {
  const inputs = 64;
  return {
    label: "64 MB",
    responseBytesMin: inputs * 8192,
    createRequests: async () => {
      const vectors = createVectors();
      const url = `data:image/png;base64,${(await createImage(embeddedImageBytes)).toString("base64")}`;
      const image = { type: "image_url", image_url: { url } };
      return [0, 1].map((which) => {
        const numbers = Array.from({ length: inputs }, (_, index) => which * inputs + index);
        const input = numbers.map((number) => ({
          content: [{ type: "text", text: inputText(number) }, image],
        }));
        return {
          path: "/v1/embeddings",
          contentType: "application/json",
          body: Buffer.from(JSON.stringify({ model: "pictures", input, encoding_format: "base64" })),
          findFault: (response) =>
            findWrongVector(
              response,
              numbers.map((number) => vectors[vectorIndex(number)]),
            ),
        } satisfies BenchRequest;
      });
    },
  };
}

function findWrongVector(
  response: unknown,
  expected: readonly (SampleVector | undefined)[],
): string | undefined {
  const data = (response as { data?: { index?: unknown; embedding?: unknown }[] }).data;
  if (data?.length !== expected.length) return `${data?.length} vectors instead of ${expected.length}`;
  const wrong = data.findIndex(
    ({ index, embedding }, position) => index !== position || !isSame(embedding, expected[position]),
  );
  return wrong === -1 ? undefined : `vector ${wrong} does not belong to its input`;
}

function isSame(embedding: unknown, expected: SampleVector | undefined): boolean {
  if (typeof embedding === "string") return embedding === expected?.base64;
  return (
    Array.isArray(embedding) &&
    embedding.length === expected?.values.length &&
    embedding.every((value, at) => Math.fround(value) === expected.values[at])
  );
}
