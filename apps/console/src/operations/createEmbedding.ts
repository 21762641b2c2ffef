import { decodeEmbedding, type GatewayClient, unwrap } from "@model-gateway/client";
import { useMutation } from "@tanstack/react-query";
import { useSignedIn } from "../session/session-context.js";
import { type ResponseFacts, readFacts } from "./response-facts.js";
import type { Schemas } from "./schemas.js";

export interface Embedded {
  readonly texts: readonly string[];
  readonly vectors: readonly Float32Array[];
  readonly tokens: number;
  /** How many requests it took. */
  readonly requests: number;
  /** Facts of the last of them. The time is that of all. */
  readonly facts: ResponseFacts;
}

type EmbeddingRequest = Omit<Schemas["CreateEmbeddingRequest"], "input" | "encoding_format"> & {
  readonly input: string[];
};

/** Turns texts into vectors, at most `batchSize` in one request. */
export function useCreateEmbedding() {
  const { client } = useSignedIn();
  return useMutation({
    mutationFn: async ({
      batchSize,
      input,
      ...request
    }: EmbeddingRequest & { readonly batchSize: number }) => {
      const batches: Embedded[] = [];
      for (let at = 0; at < input.length; at += batchSize)
        batches.push(await embed(client, { ...request, input: input.slice(at, at + batchSize) }));
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
    texts: batches.flatMap(({ texts }) => texts),
    vectors: batches.flatMap(({ vectors }) => vectors),
    tokens: sum(({ tokens }) => tokens),
    requests: batches.length,
    facts: { ...facts, ms: sum((one) => one.facts.ms) },
  };
}

/** The vectors travel as base64, a third of the bytes. */
async function embed(client: GatewayClient, request: EmbeddingRequest): Promise<Embedded> {
  const start = performance.now();
  const result = await client.createEmbedding({ ...request, encoding_format: "base64" });
  const { data, usage } = unwrap(result);
  return {
    texts: request.input,
    vectors: data.map(({ embedding }) => decodeEmbedding(embedding)),
    tokens: usage.total_tokens,
    requests: 1,
    facts: readFacts(result.response.headers, performance.now() - start),
  };
}
