import { decodeEmbedding, type GatewayClient, unwrap } from "@model-gateway/client";
import { useMutation } from "@tanstack/react-query";
import { useSignedIn } from "../session/session-context.js";
import { type InputToEmbed, inBatches, writeInput } from "./embedding-inputs.js";
import { type ResponseFacts, readFacts } from "./response-facts.js";
import type { Schemas } from "./schemas.js";

export interface Embedded {
  readonly inputs: readonly InputToEmbed[];
  readonly vectors: readonly Float32Array[];
  readonly tokens: number;
  /** How many requests it took. */
  readonly requests: number;
  /** Facts of the last of them. The time is that of all. */
  readonly facts: ResponseFacts;
}

type EmbeddingRequest = Omit<Schemas["CreateEmbeddingRequest"], "input" | "encoding_format"> & {
  readonly inputs: readonly InputToEmbed[];
};

/** Turns texts and images into vectors, at most `batchSize` in one request. */
export function useCreateEmbedding() {
  const { client } = useSignedIn();
  return useMutation({
    // Nothing is kept after the page is left.
    gcTime: 0,
    mutationFn: async ({
      batchSize,
      inputs,
      ...request
    }: EmbeddingRequest & { readonly batchSize: number }) => {
      const batches: Embedded[] = [];
      for (const batch of inBatches(inputs, batchSize))
        batches.push(await embed(client, { ...request, inputs: batch }));
      return join(batches);
    },
  });
}

/** One result of several requests. There is at least one. */
function join(batches: readonly Embedded[]): Embedded {
  const sum = (read: (one: Embedded) => number) => batches.reduce((total, one) => total + read(one), 0);
  const facts = batches.at(-1)?.facts;
  if (facts === undefined) throw new RangeError("There is nothing to embed.");
  return {
    inputs: batches.flatMap(({ inputs }) => inputs),
    vectors: batches.flatMap(({ vectors }) => vectors),
    tokens: sum(({ tokens }) => tokens),
    requests: batches.length,
    facts: { ...facts, ms: sum((one) => one.facts.ms) },
  };
}

/** The vectors travel as base64, a third of the bytes. */
async function embed(client: GatewayClient, { inputs, ...request }: EmbeddingRequest): Promise<Embedded> {
  const start = performance.now();
  const input = await Promise.all(inputs.map(writeInput));
  const result = await client.createEmbedding({ ...request, input, encoding_format: "base64" });
  const { data, usage } = unwrap(result);
  return {
    inputs,
    vectors: data.map(({ embedding }) => decodeEmbedding(embedding)),
    tokens: usage.total_tokens,
    requests: 1,
    facts: readFacts(result.response.headers, performance.now() - start),
  };
}
