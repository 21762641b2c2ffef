import { z } from "zod";
import { type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";
import { base64Of, countWords, quantized, unitVector } from "../unit-vectors.js";

export const mistralKey = "mistral-secret";

const native = { "mistral-embed": 1024, "codestral-embed": 1536 } as const;
/** The real limit is the same; a word counts as a token here. */
const tokensMax = 16_384;

const body = z.strictObject({
  model: z.enum(["mistral-embed", "codestral-embed"]),
  input: z.union([z.string(), z.array(z.string()).min(1)]),
  output_dimension: z.int().positive().max(3072).nullish(),
  output_dtype: z.enum(["float", "int8", "uint8"]).optional(),
  encoding_format: z.enum(["float", "base64"]).optional(),
});

/** https://docs.mistral.ai/api/endpoint/embeddings */
export function startFakeMistral(): Promise<StrictServer> {
  return startStrictServer({
    authenticate: ({ headers }) =>
      headers.authorization === `Bearer ${mistralKey}`
        ? undefined
        : { status: 401, body: { message: "Unauthorized", request_id: "1" } },
    // FastAPI's form.
    refuse: ({ path, message }) => ({
      status: 422,
      body: { object: "error", detail: [{ type: "value_error", loc: ["body", ...path], msg: message }] },
    }),
    routes: {
      "POST /v1/embeddings": strictRoute({
        body,
        reply: ({ model, input, output_dimension, output_dtype = "float", encoding_format }) => {
          const texts = typeof input === "string" ? [input] : input;
          const width = output_dimension ?? native[model];
          if (typeof output_dimension === "number" && model === "mistral-embed")
            return refused("output_dimension is not supported for this model.", "invalid_request");
          if (output_dtype !== "float" && model === "mistral-embed")
            return refused("output_dtype is not supported for this model.", "invalid_request");
          const tokens = countWords(texts);
          if (tokens > tokensMax)
            return refused("Too many tokens overall, split into more batches.", "invalid_request_prompt");
          return {
            body: {
              id: "e0",
              object: "list",
              model,
              usage: { prompt_tokens: tokens, total_tokens: tokens, completion_tokens: 0 },
              data: texts.map((text, index) => {
                const vector = unitVector(text, { width, native: native[model] });
                const numbers = output_dtype === "float" ? vector : quantized(vector, output_dtype);
                return {
                  object: "embedding",
                  index,
                  embedding: encoding_format === "base64" ? base64Of(numbers) : numbers,
                };
              }),
            },
          };
        },
      }),
    },
  });
}

/** The form of a real refusal: https://github.com/chroma-core/chroma/issues/5597 */
function refused(message: string, type: string) {
  return { status: 400, body: { object: "error", message, type, param: null, code: "3210" } };
}
