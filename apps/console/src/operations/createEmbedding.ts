import { decodeEmbedding, type GatewayClient, unwrap } from "@model-gateway/client";
import { useMutation } from "@tanstack/react-query";
import { useSignedIn } from "../session/session-context.js";
import { type ResponseFacts, readFacts } from "./response-facts.js";
import type { Schemas } from "./schemas.js";

export interface Embedded {
  readonly texts: readonly string[];
  readonly vectors: readonly Float32Array[];
  readonly tokens: number;
  readonly facts: ResponseFacts;
}

type EmbeddingRequest = Omit<Schemas["CreateEmbeddingRequest"], "input" | "encoding_format"> & {
  readonly input: string[];
};

/** Turns texts into vectors. */
export function useCreateEmbedding() {
  const { client } = useSignedIn();
  return useMutation({ mutationFn: (request: EmbeddingRequest) => embed(client, request) });
}

/** Turns the same texts into vectors at several upstreams of a model, one after the other. */
export function useEmbedAtTargets() {
  const { client } = useSignedIn();
  return useMutation({
    mutationFn: async ({
      upstreams,
      ...request
    }: EmbeddingRequest & { readonly upstreams: readonly string[] }) => {
      const found = new Map<string, Embedded>();
      for (const upstream of upstreams) found.set(upstream, await embed(client, request, { upstream }));
      return found;
    },
  });
}

/** The vectors travel as base64, a third of the bytes. */
async function embed(
  client: GatewayClient,
  request: EmbeddingRequest,
  options: { readonly upstream?: string } = {},
): Promise<Embedded> {
  const start = performance.now();
  const result = await client.createEmbedding({ ...request, encoding_format: "base64" }, options);
  const { data, usage } = unwrap(result);
  return {
    texts: request.input,
    vectors: data.map(({ embedding }) => decodeEmbedding(embedding)),
    tokens: usage.total_tokens,
    facts: readFacts(result.response.headers, performance.now() - start),
  };
}
