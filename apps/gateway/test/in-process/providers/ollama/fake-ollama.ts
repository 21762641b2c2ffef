import { z } from "zod";
import { type FakeReply, type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";
import { countWords, unitVector } from "../unit-vectors.js";

export const ollamaKey = "ollama-secret";

const native = 768;
/** A word counts as a token. */
const contextTokens = 2048;

/** The real server ignores fields that it does not know; this one refuses them. */
const body = z.strictObject({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string()).min(1)]),
  truncate: z.boolean().default(true),
  dimensions: z.int().positive().optional(),
  keep_alive: z.union([z.string(), z.number()]).optional(),
  options: z.strictObject({ num_ctx: z.int().positive().optional() }).optional(),
});

/** https://docs.ollama.com/api/embed, behind a proxy that requires a key. */
export function startFakeOllama(): Promise<StrictServer> {
  return startStrictServer({
    authenticate: ({ headers }) =>
      headers.authorization === `Bearer ${ollamaKey}` ? undefined : failed(401, "unauthorized"),
    refuse: ({ path, message }) => failed(400, `json: cannot read ${path.join(".")}: ${message}`),
    routes: { "POST /api/embed": strictRoute({ body, reply }) },
  });
}

function reply({ model, input, truncate, dimensions = native }: z.output<typeof body>): FakeReply {
  if (model !== "nomic-embed-text") return failed(404, `model '${model}' not found`);
  const texts = typeof input === "string" ? [input] : input;
  if (!truncate && texts.some((text) => countWords([text]) > contextTokens))
    return failed(400, "the input length exceeds the context length");
  // A width above the native one is ignored.
  const width = Math.min(dimensions, native);
  // A cut text has another vector: a test would notice.
  const kept = texts.map((text) => text.split(/\s+/).slice(0, contextTokens).join(" "));
  return {
    body: {
      model,
      embeddings: kept.map((text) => unitVector(text, { width, native })),
      total_duration: 14_143_917,
      load_duration: 1_019_500,
      prompt_eval_count: countWords(kept),
    },
  };
}

function failed(status: number, error: string): FakeReply {
  return { status, body: { error } };
}
