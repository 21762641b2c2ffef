import { z } from "zod";
import { type StrictServer, startStrictServer, strictRoute } from "../providers/strict-server.js";
import { unitVector } from "../providers/unit-vectors.js";

export interface TokenServer extends StrictServer {
  /** The end of each token, in milliseconds since 1970. */
  readonly validUntil: Map<string, number>;
}

const googleModels = "/v1/projects/p/locations/europe-west4/publishers/google/models/";

const predictRoute = strictRoute({
  body: z.looseObject({ instances: z.array(z.looseObject({ content: z.string() })) }),
  reply: ({ instances }) => ({
    body: {
      predictions: instances.map(({ content }) => ({
        embeddings: {
          statistics: { truncated: false, token_count: 1 },
          values: unitVector(content, { width: 768, native: 768 }),
        },
      })),
    },
  }),
});

/** An upstream that takes bearer tokens until they expire. It speaks Vertex's and OpenAI's forms of embeddings. */
export async function startTokenServer(now: () => number): Promise<TokenServer> {
  const validUntil = new Map<string, number>();
  const server = await startStrictServer({
    authenticate: ({ headers }) => {
      const token = headers.authorization?.replace(/^Bearer /, "") ?? "";
      if ((validUntil.get(token) ?? 0) > now()) return undefined;
      const message = `Invalid credentials: ${headers.authorization}`;
      return { status: 401, body: { error: { code: 401, message, status: "UNAUTHENTICATED" } } };
    },
    refuse: ({ message }) => ({ status: 400, body: { error: { message } } }),
    routes: {
      [`POST ${googleModels}text-embedding-005:predict`]: predictRoute,
      [`POST ${googleModels}text-multilingual-embedding-002:predict`]: predictRoute,
      "POST /v1/embeddings": strictRoute({
        body: z.looseObject({ input: z.array(z.string()), model: z.string() }),
        reply: ({ input, model }) => ({
          body: {
            object: "list",
            model,
            data: input.map((text, index) => ({
              object: "embedding",
              index,
              embedding: unitVector(text, { width: 16, native: 16 }),
            })),
            usage: { prompt_tokens: 1, total_tokens: 1 },
          },
        }),
      }),
    },
  });
  return Object.assign(server, { validUntil });
}
