import { z } from "zod";
import { type FakeReply, type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";
import { countWords, unitVector } from "../unit-vectors.js";

export const teiKey = "tei-secret";

const native = 384;
/** A word counts as a token. */
const maxInputLength = 512;
const maxClientBatchSize = 32;
const prompts: Readonly<Record<string, string>> = { query: "query: ", passage: "passage: " };

/** The real server ignores fields that it does not know; this one refuses them. */
const body = z.strictObject({
  inputs: z.union([z.string(), z.array(z.string()).min(1)]),
  // Without it `--auto-truncate` holds, which is on by default.
  truncate: z.boolean().nullable().default(true),
  truncation_direction: z.enum(["Left", "Right"]).optional(),
  prompt_name: z.string().optional(),
  normalize: z.boolean().default(true),
  dimensions: z.int().optional(),
});

/** https://huggingface.github.io/text-embeddings-inference, started with `--api-key`. */
export function startFakeTei(): Promise<StrictServer> {
  return startStrictServer({
    authenticate: ({ headers }) =>
      headers.authorization === `Bearer ${teiKey}` ? undefined : { status: 401, body: "" },
    // The text of its framework.
    refuse: ({ path, message }) => ({
      status: 422,
      body: `Failed to deserialize the JSON body into the target type: ${path.join(".")}: ${message}`,
    }),
    routes: {
      "POST /embed": strictRoute({ body, reply }),
      "GET /info": strictRoute({ body: z.undefined(), reply: () => ({ body: info }) }),
    },
  });
}

const info = {
  model_id: "intfloat/e5-small-v2",
  model_sha: "dca8b1a9dae0d4575df2bf423a5edb485a431236",
  model_dtype: "float16",
  model_type: { embedding: { pooling: "mean" } },
  max_concurrent_requests: 512,
  max_input_length: maxInputLength,
  max_batch_tokens: 16_384,
  max_batch_requests: null,
  max_client_batch_size: maxClientBatchSize,
  auto_truncate: true,
  tokenization_workers: 4,
  version: "1.8.3",
  sha: null,
  docker_label: null,
};

function reply(given: z.output<typeof body>): FakeReply {
  const texts = typeof given.inputs === "string" ? [given.inputs] : given.inputs;
  const { dimensions: width = native, prompt_name } = given;
  if (texts.length > maxClientBatchSize)
    return invalid(`batch size ${texts.length} > maximum allowed batch size ${maxClientBatchSize}`);
  if (width < 1 || width > native) return invalid("`dimensions` should be positive and at most 384");
  const prompt = prompt_name === undefined ? "" : prompts[prompt_name];
  if (prompt === undefined) return invalid(`the prompt name '${prompt_name}' is not one of the model`);
  const long = texts.map((text) => countWords([text])).find((tokens) => tokens > maxInputLength);
  if (long !== undefined && given.truncate !== true)
    return invalid(`\`inputs\` must have less than ${maxInputLength} tokens. Given: ${long}`);
  // A cut text has another vector, and one that is not normalised another length: a test would notice.
  const kept = texts.map((text) => text.split(/\s+/).slice(0, maxInputLength).join(" "));
  const scale = given.normalize ? 1 : 2;
  return {
    headers: { "x-compute-tokens": String(countWords(kept)), "x-compute-type": "gpu+optimized" },
    body: kept.map((text) => unitVector(prompt + text, { width, native }).map((value) => scale * value)),
  };
}

function invalid(message: string): FakeReply {
  return {
    status: 422,
    body: { error: `Input validation error: ${message}`, error_type: "Validation" },
  };
}
