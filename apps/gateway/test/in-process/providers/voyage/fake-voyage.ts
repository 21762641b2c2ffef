import { z } from "zod";
import { type FakeReply, type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";
import { base64Of, countWords, quantized, unitVector } from "../unit-vectors.js";

export const voyageKey = "voyage-secret";

const native = 1024;
/** A word counts as a token. */
const contextTokens = 32_000;
const batchTokensMax = 120_000;

/** `float` is not a value of `encoding_format`, and `truncation` cuts texts unless it is false. */
const body = z.strictObject({
  model: z.enum(["voyage-4-large", "voyage-4-lite"]),
  input: z.union([z.string(), z.array(z.string()).min(1).max(128)]),
  input_type: z.enum(["query", "document"]).nullable().optional(),
  truncation: z.boolean().default(true),
  output_dimension: z.union([256, 512, 1024, 2048].map((width) => z.literal(width))).optional(),
  output_dtype: z.enum(["float", "int8", "uint8"]).optional(),
  encoding_format: z.literal("base64").nullable().optional(),
});

/** https://docs.voyageai.com/reference/embeddings-api */
export function startFakeVoyage(): Promise<StrictServer> {
  return startStrictServer({
    authenticate: ({ headers }) =>
      headers.authorization === `Bearer ${voyageKey}`
        ? undefined
        : { status: 401, body: { detail: "Provided API key is invalid." } },
    refuse: ({ path, message }) => refused(`Argument ${path.join(".")} is not valid: ${message}`),
    routes: { "POST /v1/embeddings": strictRoute({ body, reply }) },
  });
}

function reply(given: z.output<typeof body>): FakeReply {
  const texts = typeof given.input === "string" ? [given.input] : given.input;
  const width = given.output_dimension ?? native;
  const long = texts.findIndex((text) => countWords([text]) > contextTokens);
  if (long !== -1 && !given.truncation)
    return refused(
      `Request to model '${given.model}' failed. The example at index ${long} in your batch has too many tokens and does not fit into the model's context window of ${contextTokens} tokens. Please lower the number of tokens in the listed example(s) or use truncation.`,
    );
  const tokens = countWords(texts);
  if (tokens > batchTokensMax)
    return refused(
      `Request to model '${given.model}' failed. The max allowed tokens per submitted batch is ${batchTokensMax}. Your batch has ${tokens} tokens after truncation. Please lower the number of tokens in the batch.`,
    );
  return {
    body: {
      object: "list",
      data: texts.map((text, index) => {
        // A cut text has another vector: a test would notice.
        const kept = text.split(/\s+/).slice(0, contextTokens).join(" ");
        const vector = unitVector(`${given.input_type ?? ""}${kept}`, { width, native });
        const { output_dtype: dtype = "float" } = given;
        const numbers = dtype === "float" ? vector : quantized(vector, dtype);
        const embedding = given.encoding_format === "base64" ? base64Of(numbers) : numbers;
        return { object: "embedding", embedding, index };
      }),
      model: given.model,
      usage: { total_tokens: tokens },
    },
  };
}

function refused(detail: string): FakeReply {
  return { status: 400, body: { detail } };
}
