import { type BenchVector, inputText, makeVectors, vectorIndex } from "../vectors.js";
import type { BenchRequest, Case } from "./workload.js";

export interface EmbeddingWishes {
  readonly model: "plain" | "cached" | "joined";
  readonly encoding: "json" | "base64";
  /** How many inputs a request has. */
  readonly inputs: number;
  /** How many different requests there are. They take turns, so that no two under way at once are the same. */
  readonly variants: number;
}

/** Requests whose inputs are numbered, so that each answer can be held against the vectors that belong to them. */
export function embeddingCase({ model, encoding, inputs, variants }: EmbeddingWishes): Case {
  return {
    label: encoding === "json" ? "JSON" : "base64",
    // The shortest text for a number that a gateway may choose is about half of what upstreams send.
    answerBytesMin: inputs * (encoding === "json" ? 15_000 : 8192),
    requests: () => {
      const vectors = makeVectors();
      // Batches begin where the vectors do, so that the upstream has one answer ready for all of them.
      const stride = inputs === 1 ? 1 : 2048;
      return Array.from({ length: variants }, (_, variant) => {
        const numbers = Array.from({ length: inputs }, (_, index) => variant * stride + index);
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
          fault: (answer): string | undefined =>
            faultOf(
              answer,
              numbers.map((number) => vectors[vectorIndex(number)]),
            ),
        } satisfies BenchRequest;
      });
    },
  };
}

function faultOf(answer: unknown, expected: readonly (BenchVector | undefined)[]): string | undefined {
  const data = (answer as { data?: { index?: unknown; embedding?: unknown }[] }).data;
  if (data?.length !== expected.length) return `${data?.length} vectors instead of ${expected.length}`;
  const wrong = data.findIndex(
    ({ index, embedding }, place) => index !== place || !isSame(embedding, expected[place]),
  );
  return wrong === -1 ? undefined : `vector ${wrong} is not the one of its input`;
}

function isSame(embedding: unknown, expected: BenchVector | undefined): boolean {
  if (typeof embedding === "string") return embedding === expected?.base64;
  return (
    Array.isArray(embedding) &&
    embedding.length === expected?.values.length &&
    embedding.every((value, at) => Math.fround(value) === expected.values[at])
  );
}
