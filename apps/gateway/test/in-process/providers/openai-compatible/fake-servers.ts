import { z } from "zod";
import { type FakeReply, type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";
import { base64Of, countWords, unitVector } from "../unit-vectors.js";

/** A server's differences from OpenAI, as its docs page describes them. */
export interface ServerDialect {
  /** The width of its vectors. */
  readonly native: number;
  /** Its handling of `encoding_format: base64`. A refused field is not part of its API. */
  readonly base64: "taken" | "ignored" | "refused";
  readonly dimensions: "taken" | "ignored" | "refused";
  readonly hasUsage: boolean;
}

const encoding = z.enum(["float", "base64"]).optional();
const text = z.union([z.string(), z.array(z.string()).min(1)]);

/** A server that takes embeddings at this path. */
export function startCompatibleServer(path: string, dialect: ServerDialect): Promise<StrictServer> {
  const body = z.strictObject({
    model: z.string(),
    input: text,
    encoding_format: dialect.base64 === "refused" ? z.literal("float").optional() : encoding,
    dimensions: dialect.dimensions === "refused" ? z.undefined().optional() : z.int().positive().optional(),
  });
  return startStrictServer({
    authenticate: () => undefined,
    refuse: ({ path: field, message }) => ({
      status: 400,
      body: { error: { message, type: "BadRequestError", param: field.join("."), code: 400 } },
    }),
    routes: { [`POST ${path}/embeddings`]: strictRoute({ body, reply: (given) => reply(given, dialect) }) },
  });
}

interface Given {
  readonly model: string;
  readonly input: string | string[];
  readonly encoding_format?: "float" | "base64" | undefined;
  readonly dimensions?: number | undefined;
}

function reply(given: Given, { native, base64, dimensions, hasUsage }: ServerDialect): FakeReply {
  const texts = [given.input].flat();
  const width = dimensions === "taken" ? (given.dimensions ?? native) : native;
  const isBase64 = base64 === "taken" && given.encoding_format === "base64";
  const tokens = countWords(texts);
  return {
    body: {
      object: "list",
      model: given.model,
      data: texts.map((one, index) => {
        const vector = unitVector(one, { width, native });
        return { object: "embedding", index, embedding: isBase64 ? base64Of(vector) : vector };
      }),
      ...(hasUsage ? { usage: { prompt_tokens: tokens, total_tokens: tokens } } : {}),
    },
  };
}
