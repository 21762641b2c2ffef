import { z } from "zod";
import { type FakeReply, type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";
import { base64Of, countWords, quantized, unitVector } from "../unit-vectors.js";

export const cohereKey = "cohere-secret";

const native = 1536;
/** A word counts as a token. */
const contextTokens = 128_000;

const body = z.strictObject({
  model: z.enum(["embed-v4.0", "embed-english-v3.0"]),
  input_type: z.enum(["search_query", "search_document", "classification", "clustering"]),
  texts: z.array(z.string()).min(1),
  embedding_types: z.array(z.enum(["float", "base64", "int8", "uint8"])).min(1),
  output_dimension: z.union([256, 512, 1024, 1536].map((width) => z.literal(width))).optional(),
  truncate: z.enum(["NONE", "START", "END"]).default("END"),
});

/** https://docs.cohere.com/v2/reference/embed */
export function startFakeCohere(): Promise<StrictServer> {
  return startStrictServer({
    authenticate: ({ headers }) =>
      headers.authorization === `Bearer ${cohereKey}`
        ? undefined
        : { status: 401, body: { id: "1", message: "invalid api token" } },
    refuse: ({ path, message }) => refused(`invalid request: ${path.join(".")}: ${message}`),
    routes: { "POST /v2/embed": strictRoute({ body, reply }) },
  });
}

function reply(given: z.output<typeof body>): FakeReply {
  const { texts, model } = given;
  if (texts.length > 96)
    return refused(`invalid request: total number of texts must be at most 96 - received ${texts.length}`);
  if (model !== "embed-v4.0" && given.output_dimension !== undefined)
    return refused("invalid request: output_dimension is not supported for this model");
  const long = texts.findIndex((text) => countWords([text]) > contextTokens);
  if (long !== -1 && given.truncate === "NONE")
    return refused(`invalid request: text at index ${long} is too long: it has too many tokens`);
  const width = given.output_dimension ?? native;
  const vectors = texts.map((text) => unitVector(wordFor(given.input_type) + text, { width, native }));
  return {
    body: {
      id: "e0",
      texts,
      embeddings: {
        ...(given.embedding_types.includes("float") ? { float: vectors } : {}),
        ...(given.embedding_types.includes("base64") ? { base64: vectors.map(base64Of) } : {}),
        ...integersOf(vectors, given.embedding_types),
      },
      response_type: "embeddings_by_type",
      meta: { api_version: { version: "2" }, billed_units: { input_tokens: countWords(texts) } },
    },
  };
}

/** The vectors of each requested type. */
export function integersOf(vectors: readonly number[][], types: readonly string[]): object {
  const dtypes = (["int8", "uint8"] as const).filter((dtype) => types.includes(dtype));
  return Object.fromEntries(dtypes.map((dtype) => [dtype, vectors.map((one) => quantized(one, dtype))]));
}

/** Queries have other vectors than documents. */
export function wordFor(inputType: string): string {
  return inputType === "search_document" ? "" : inputType;
}

function refused(message: string): FakeReply {
  return { status: 400, body: { id: "e0", message } };
}
